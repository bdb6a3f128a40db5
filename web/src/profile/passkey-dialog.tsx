import { PasswordInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { askForSession } from '../app/session-end.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { createPasskey } from './create-passkey.ts';
import styles from './factor-dialogs.module.css';
import { reloadProfile } from './profile-queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Sets up a passkey: the password, then what the browser asks, then recovery codes if it is the first factor. */
export function PasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title="Add a passkey"
      action="Continue"
      initialValues={{ name: '', password: '' }}
      send={async ({ name, password }) => {
        const { id, options } = await client.call('factors.create', { type: 'passkey', name, password });
        const credential = await createPasskey(options);
        return await client.call('factors.verify', { id, credential });
      }}
      onDone={async ({ recovery_codes: given }) => {
        await Promise.all([askForSession(), reloadProfile()]);
        notifications.show({ message: 'Passkey added.' });
        if (given === undefined) onClose();
        else setCodes(given);
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.note}>
            Your browser then asks for a fingerprint, a face, a PIN or a security key. It never leaves your
            device.
          </p>
          <TextInput
            label="What you call it"
            placeholder="Laptop"
            maxLength={100}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
            key={form.key('name')}
          />
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
            key={form.key('password')}
          />
        </>
      )}
    </FormDialog>
  );
}
