import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../app/data/client.ts';
import { askForSession } from '../app/session/session-end.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { CopiedText } from '../parts/files/copied-text.tsx';
import { tell } from '../parts/tell.ts';
import styles from './factor-dialogs.module.css';
import { FactorFields } from './factor-fields.tsx';
import { reloadProfile } from './profile-queries.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface StartedApp {
  readonly id: string;
  readonly secret: string;
  readonly uri: string;
}

/** Sets up an authenticator app: the password, then the code that the app shows, then recovery codes if it is the first. */
export function AppDialog({ onClose }: { readonly onClose: () => void }) {
  const [started, setStarted] = useState<StartedApp>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (started === undefined) return <StartApp onStarted={setStarted} onClose={onClose} />;
  return (
    <VerifyApp
      started={started}
      onDone={async (given) => {
        await Promise.all([askForSession(), reloadProfile()]);
        tell('Authenticator app added.');
        if (given === undefined) onClose();
        else setCodes(given);
      }}
      onClose={onClose}
    />
  );
}

interface StartAppProps {
  readonly onStarted: (started: StartedApp) => void;
  readonly onClose: () => void;
}

function StartApp({ onStarted, onClose }: StartAppProps) {
  return (
    <FormDialog
      title="Add an authenticator app"
      action="Continue"
      initialValues={{ name: '', password: '' }}
      send={({ name, password }) => client.call('factors.create', { type: 'totp', name, password })}
      onDone={({ id, secret = '', uri = '' }) => onStarted({ id, secret, uri })}
      onClose={onClose}
    >
      {(form) => <FactorFields form={form} example="Phone" />}
    </FormDialog>
  );
}

interface VerifyAppProps {
  readonly started: StartedApp;
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => void;
  readonly onClose: () => void;
}

function VerifyApp({ started: { id, secret, uri }, onDone, onClose }: VerifyAppProps) {
  return (
    <FormDialog
      title="Scan the code with the app"
      action="Add"
      initialValues={{ code: '' }}
      send={({ code }) => client.call('factors.verify', { id, code })}
      onDone={({ recovery_codes: codes }) => onDone(codes)}
      onClose={onClose}
    >
      {(form) => (
        <>
          <QrCode text={uri} label="QR code for the authenticator app" />
          <div className={styles.secret}>
            <p className={styles.note}>Or enter this secret in the app:</p>
            <CopiedText label="Secret" text={secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
          </div>
          <TextInput
            label="Code that the app shows"
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            {...form.getInputProps('code')}
            key={form.key('code')}
          />
        </>
      )}
    </FormDialog>
  );
}
