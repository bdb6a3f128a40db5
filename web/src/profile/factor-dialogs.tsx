import { Button } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { type ComponentProps, useRef, useState } from 'react';
import { renderSVG } from 'uqr';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { askForSession } from '../app/session/session-end.ts';
import { Dialog } from '../form/dialog.tsx';
import { useReturnFocus } from '../form/dialog-keys.ts';
import type { Values } from '../form/form.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { useUnsaved } from '../form/unsaved.ts';
import { CopiedText, copyText } from '../parts/copied-text.tsx';
import { download } from '../parts/download.ts';
import { ToldError } from '../parts/failure.tsx';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.ts';
import styles from './factor-dialogs.module.css';
import { type Factor, factors, kindOf, nameOf } from './profile-queries.tsx';

export interface DialogProps {
  readonly onClose: () => void;
}

/** The field for one's own password, which is asked for again before what only the owner of an account may do. */
export const ownPassword = {
  label: 'Your password',
  kind: 'password',
  isRequired: true,
  autoComplete: 'current-password',
} as const;

/** What every new factor needs: a name, and the password. */
const newFactor = {
  at: ['dialog'],
  action: 'Continue',
  fields: { name: { label: 'Name', kind: 'line', about: 'Such as Phone or Laptop.' }, password: ownPassword },
  start: { name: '', password: '' },
} as const;

type Codes = readonly string[] | undefined;

/** Completes a new factor. Resolves with the recovery codes if it is the first one. */
async function verify(what: string, input: InputOf<'factors.verify'>): Promise<Codes> {
  const { recovery_codes: codes } = await client.call('factors.verify', input);
  await Promise.all([askForSession(), factors.reload()]);
  tell(`${what} added.`);
  return codes;
}

type CodesFormProps<V extends Values> = DialogProps &
  Omit<ComponentProps<typeof FormDialog<V, Codes>>, 'at' | 'onDone' | 'onCancel'>;

/** A form whose answer may be recovery codes, which are shown then. */
function CodesForm<V extends Values>({ onClose, ...form }: CodesFormProps<V>) {
  const [codes, setCodes] = useState<Codes>();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  const onDone = (given: Codes) => (given ? setCodes(given) : onClose());
  return <FormDialog<V, Codes> {...form} at={['dialog']} onDone={onDone} onCancel={onClose} />;
}

/** Sets up an authenticator app: the password, then the code that the app shows, then recovery codes if it is the first. */
export function AppDialog({ onClose }: DialogProps) {
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
    <CodesForm
      title="Scan the code with the app"
      action="Add"
      text={
        <>
          <img className={styles.qr} src={qrCode(uri)} alt="QR code for the authenticator app" />
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
      onClose={onClose}
    />
  );
}

/** Draws a text as a QR code, dark on light in both themes, with a border: many cameras find no other. */
function qrCode(text: string): string {
  return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: 4 }))}`;
}

/** Sets up a passkey: the password, then what the browser asks, then recovery codes if it is the first factor. */
export function PasskeyDialog({ onClose }: DialogProps) {
  return (
    <CodesForm
      {...newFactor}
      title="Add a passkey"
      text="Your browser then asks for a fingerprint, a face, a PIN or a security key. It never leaves your device."
      send={async (set) => {
        const asked = { type: 'passkey', ...newFactor.start, ...set } as const;
        const { id, options } = await client.call('factors.create', asked);
        return await verify('Passkey', { id, credential: await createPasskey(options) });
      }}
      onClose={onClose}
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
export function CodesDialog({ onClose }: DialogProps) {
  return (
    <CodesForm
      title="Replace recovery codes"
      action="Replace"
      text="The codes that you have now stop working."
      fields={{ password: ownPassword }}
      start={{ password: '' }}
      send={async ({ password = '' }) => {
        const { recovery_codes: codes } = await client.call('factors.createRecoveryCodes', { password });
        await factors.reload();
        return codes;
      }}
      onClose={onClose}
    />
  );
}

/** Shows recovery codes for the only time. Whatever leads away from them asks first, until somebody has kept them. */
function RecoveryCodes({ codes, onClose }: DialogProps & { readonly codes: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [kept, setKept] = useState<'copied' | 'saved'>();
  useReturnFocus();
  const { leave } = useUnsaved({
    isUnsaved: kept === undefined,
    question: {
      title: 'Close without keeping the codes?',
      text: 'You cannot see them again. You can replace them with new ones later.',
      action: 'Close',
    },
  });
  const close = () => void leave(onClose);

  async function copy(): Promise<void> {
    if (list.current && (await copyText(list.current))) setKept('copied');
  }

  function save(): void {
    download(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'backoffice-recovery-codes.txt');
    setKept((before) => before ?? 'saved');
  }

  return (
    <Dialog opened title="Your recovery codes" onClose={close} closeOnClickOutside={false}>
      <div className={sheet.stack}>
        <p className={sheet.text}>
          Each signs you in once, when you do not have your factor. <strong>Keep them now:</strong> you cannot
          see them again.
        </p>
        <ul ref={list} className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{`${code}\n`}</li>
          ))}
        </ul>
        <div className={sheet.between}>
          <div className={sheet.row}>
            <Button variant="default" onClick={() => void copy()}>
              {kept === 'copied' ? 'Copied' : 'Copy'}
            </Button>
            <Button variant="default" onClick={save}>
              Download
            </Button>
          </div>
          <Button onClick={close}>Done</Button>
        </div>
      </div>
    </Dialog>
  );
}

interface RemoveFactorProps extends DialogProps {
  readonly factor: Factor;
  readonly isLast: boolean;
}

/** Removes a factor, if the person knows the password. */
export function RemoveFactor({ factor, isLast, onClose }: RemoveFactorProps) {
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
      fields={{ password: ownPassword }}
      start={{ password: '' }}
      send={async ({ password = '' }) => {
        await client.call('factors.delete', { id: factor.id, password });
        await factors.reload();
      }}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
