import { useState } from 'react';
import { client } from '../app/data/client.ts';
import { askForSession } from '../app/session/session-end.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { tell } from '../parts/tell.ts';
import { createPasskey } from './create-passkey.ts';
import styles from './factor-dialogs.module.css';
import { FactorFields } from './factor-fields.tsx';
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
        tell('Passkey added.');
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
          <FactorFields form={form} example="Laptop" />
        </>
      )}
    </FormDialog>
  );
}
