import { useState } from 'react';
import { client } from '../app/data/client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { OwnPassword } from '../parts/inputs/own-password.tsx';
import styles from './factor-dialogs.module.css';
import { reloadProfile } from './profile-queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Replaces one's own recovery codes. */
export function CodesDialog({ onClose }: { readonly onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <FormDialog
      title="Replace recovery codes"
      action="Replace"
      initialValues={{ password: '' }}
      send={({ password }) => client.call('factors.createRecoveryCodes', { password })}
      onDone={({ recovery_codes: given }) => {
        void reloadProfile();
        setCodes(given);
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.note}>The codes that you have now stop working.</p>
          <OwnPassword data-autofocus {...form.getInputProps('password')} key={form.key('password')} />
        </>
      )}
    </FormDialog>
  );
}
