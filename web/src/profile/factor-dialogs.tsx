import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import { encode } from 'uqr';
import { client } from '../app/data/client.ts';
import { askForSession } from '../app/session/session-end.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { CopiedText } from '../parts/copied-text.tsx';
import { ToldError } from '../parts/failure.tsx';
import sheet from '../parts/sheet.module.css';
import { tell } from '../parts/tell.ts';
import styles from './factor-dialogs.module.css';
import { type Factor, factors, kindOf, nameOf } from './profile-queries.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface DialogProps {
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
  name: { label: 'Name', kind: 'line', about: 'Such as Phone or Laptop.' },
  password: ownPassword,
} as const;

const noName = { name: '', password: '' };

/** Says that a factor was added. */
async function noticeAdded(what: string): Promise<void> {
  await Promise.all([askForSession(), factors.reload()]);
  tell(`${what} added.`);
}

interface StartedApp {
  readonly id: string;
  readonly secret: string;
  readonly uri: string;
}

/** Sets up an authenticator app: the password, then the code that the app shows, then recovery codes if it is the first. */
export function AppDialog({ onClose }: DialogProps) {
  const [started, setStarted] = useState<StartedApp>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (started === undefined)
    return (
      <FormDialog
        title="Add an authenticator app"
        action="Continue"
        fields={newFactor}
        start={noName}
        at={['dialog']}
        send={async ({ name = '', password = '' }) => {
          const {
            id,
            secret = '',
            uri = '',
          } = await client.call('factors.create', { type: 'totp', name, password });
          return { id, secret, uri };
        }}
        onDone={setStarted}
        onCancel={onClose}
      />
    );
  const { id, secret, uri } = started;
  return (
    <FormDialog
      title="Scan the code with the app"
      action="Add"
      text={
        <>
          <QrCode text={uri} />
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
      at={['dialog']}
      send={async ({ code = '' }) => {
        const { recovery_codes: given } = await client.call('factors.verify', { id, code });
        await noticeAdded('Authenticator app');
        return given;
      }}
      onDone={(given) => (given === undefined ? onClose() : setCodes(given))}
      onCancel={onClose}
    />
  );
}

/** The free modules around a code, without which cameras do not find it. */
const border = 4;

/** A text as a QR code, dark on light in both themes: many cameras read no other. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for the authenticator app"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={modules.join('')} fill="#000000" />
    </svg>
  );
}

/** Sets up a passkey: the password, then what the browser asks, then recovery codes if it is the first factor. */
export function PasskeyDialog({ onClose }: DialogProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title="Add a passkey"
      action="Continue"
      text="Your browser then asks for a fingerprint, a face, a PIN or a security key. It never leaves your device."
      fields={newFactor}
      start={noName}
      at={['dialog']}
      send={async ({ name = '', password = '' }) => {
        const { id, options } = await client.call('factors.create', { type: 'passkey', name, password });
        const credential = await createPasskey(options);
        const { recovery_codes: given } = await client.call('factors.verify', { id, credential });
        await noticeAdded('Passkey');
        return given;
      }}
      onDone={(given) => (given === undefined ? onClose() : setCodes(given))}
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
export function CodesDialog({ onClose }: DialogProps) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title="Replace recovery codes"
      action="Replace"
      text="The codes that you have now stop working."
      fields={{ password: ownPassword }}
      start={{ password: '' }}
      at={['dialog']}
      send={async ({ password = '' }) => {
        const { recovery_codes: given } = await client.call('factors.createRecoveryCodes', { password });
        await factors.reload();
        return given;
      }}
      onDone={setCodes}
      onCancel={onClose}
    />
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
