import { Button } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { askAgain } from '../app/session/session-end.ts';
import { ownPassword } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { SecretOnce } from '../form/secret.tsx';
import { useList } from '../kit/list.ts';
import { CopiedText } from '../parts/copied-text.tsx';
import { download } from '../parts/download.ts';
import { ToldError } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.tsx';
import { type Factor, factors, kindOf, nameOf } from './profile-queries.tsx';

/** Recovery codes, if there are new ones. */
type Codes = readonly string[] | null;

export interface DialogProps {
  readonly onClose: () => void;
}

interface FactorDialogProps extends DialogProps {
  readonly onDone: (codes: Codes | undefined) => void;
}

const yourPassword = { ...ownPassword, label: 'Your password', isRequired: true } as const;

/** What every new factor needs: a name, and the password. */
const newFactor = {
  at: ['dialog'],
  action: 'Continue',
  fields: {
    name: { label: 'Name', kind: 'line', about: 'Such as Phone or Laptop.' },
    password: yourPassword,
  },
  start: { name: '', password: '' },
} as const;

/** Completes a new factor. Resolves with the recovery codes if it is the first one. */
async function verify(what: string, input: InputOf<'factors.verify'>): Promise<Codes> {
  const { recovery_codes: codes } = await client.call('factors.verify', input);
  // The codes are told once: nothing that fails after them may lose them.
  await Promise.all([askAgain(), factors.reload()]);
  tell(`${what} added.`);
  return codes ?? null;
}

/** Sets up an authenticator app: the password, then the code that the app shows, then recovery codes if it is the first. */
export function AppDialog({ onClose, onDone }: FactorDialogProps) {
  const [started, setStarted] = useState<OutputOf<'factors.create'>>();
  if (started === undefined)
    return (
      <FormDialog
        {...newFactor}
        title="Add an authenticator app"
        send={(set) => client.call('factors.create', { type: 'totp', ...newFactor.start, ...set })}
        onDone={setStarted}
        onCancel={onClose}
      />
    );
  const { id, secret = '', uri = '' } = started;
  return (
    <FormDialog
      // Another form than the one before it.
      key={id}
      title="Scan the code with the app"
      action="Add"
      text={
        <>
          <img src={qrCode(uri)} style={qrStyle} alt="QR code for the authenticator app" />
          <span className={sheet.quiet}>Or enter this secret in the app:</span>
          <CopiedText label="Secret" text={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
        </>
      }
      fields={{
        code: {
          label: 'Code that the app shows',
          kind: 'line',
          autoComplete: 'one-time-code',
          isRequired: true,
        },
      }}
      start={{ code: '' }}
      send={({ code = '' }) => verify('Authenticator app', { id, code })}
      at={['dialog']}
      onDone={onDone}
      onCancel={onClose}
    />
  );
}

const qrStyle = { width: 208, margin: 'auto', border: '1px solid var(--line)', borderRadius: 8 };

/** Draws a text as a QR code, dark on light in both themes, with a border: many cameras find no other. */
function qrCode(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: 4 }))}`;
}

/** Sets up a passkey: the password, then what the browser asks, then recovery codes if it is the first factor. */
export function PasskeyDialog({ onClose, onDone }: FactorDialogProps) {
  return (
    <FormDialog
      {...newFactor}
      title="Add a passkey"
      text="Your browser then asks for a fingerprint, a face, a PIN or a security key. It never leaves your device."
      send={async (set) => {
        const asked = { type: 'passkey', ...newFactor.start, ...set } as const;
        const { id, options } = await client.call('factors.create', asked);
        return await verify('Passkey', { id, credential: await createPasskey(options) });
      }}
      onDone={onDone}
      onCancel={onClose}
    />
  );
}

/** What the browser's refusals mean. */
const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: 'The passkey was not confirmed. Try again.',
  AbortError: 'The passkey was not confirmed. Try again.',
  InvalidStateError: 'This device has a passkey of this account already.',
};

/** Asks the browser for a passkey. */
async function createPasskey(options: object | undefined): Promise<Record<string, unknown>> {
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new ToldError(refusals[name] ?? 'The browser could not make a passkey for this site.');
  }
}

/** Replaces one's own recovery codes. */
export function CodesDialog({ onClose, onDone }: FactorDialogProps) {
  return (
    <FormDialog
      title="Replace recovery codes"
      action="Replace"
      text="The codes that you have now stop working."
      fields={{ password: yourPassword }}
      start={{ password: '' }}
      send={async ({ password = '' }) => {
        const { recovery_codes: codes } = await client.call('factors.createRecoveryCodes', { password });
        await factors.reload();
        return codes;
      }}
      at={['dialog']}
      onDone={onDone}
      onCancel={onClose}
    />
  );
}

/** Shows recovery codes for the only time. */
export function RecoveryCodes({ codes, onClose }: DialogProps & { readonly codes: readonly string[] }) {
  const text = codes.join('\n');
  return (
    <SecretOnce title="Your recovery codes" label="Recovery codes" secret={text} onClose={onClose}>
      {(onCopy) => (
        <>
          <p>Each signs you in once, when you do not have your factor.</p>
          <Button
            variant="default"
            mr="auto"
            onClick={() => {
              download(new Blob([`${text}\n`], { type: 'text/plain' }), 'backoffice-recovery-codes.txt');
              onCopy();
            }}
          >
            Download
          </Button>
        </>
      )}
    </SecretOnce>
  );
}

/** Removes a factor, if the person knows the password. */
export function RemoveFactor({ factor, onClose }: DialogProps & { readonly factor: Factor }) {
  const isLast = useList(factors, {}).rows.length === 1;
  return (
    <FormDialog
      title={`Remove ${nameOf(factor)}?`}
      action="Remove"
      isDangerous
      text={
        isLast
          ? 'It is your only one: your password alone will sign you in, and your recovery codes stop working.'
          : `This ${kindOf(factor).toLowerCase()} no longer completes a sign-in.`
      }
      fields={{ password: yourPassword }}
      start={{ password: '' }}
      send={async ({ password = '' }) => {
        await client.call('factors.delete', { id: factor.id, password });
        await factors.reload();
      }}
      onCancel={onClose}
    />
  );
}
