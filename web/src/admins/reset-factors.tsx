import { client } from '../app/data/client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { OwnPassword } from '../parts/inputs/own-password.tsx';
import { counted } from '../parts/numbers.ts';
import { tell } from '../parts/tell.ts';
import { type Admin, reloadAdmins } from './admin-queries.ts';
import styles from './admins-page.module.css';

interface ResetFactorsProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

/** Removes all second factors of an admin who has lost them. */
export function ResetFactors({ admin: { id, email, sign_in: signIn }, onClose }: ResetFactorsProps) {
  return (
    <FormDialog
      title={`Reset the second factor of ${email}?`}
      action="Reset"
      isDangerous
      initialValues={{ password: '' }}
      send={({ password }) => client.call('factors.reset', { id, password })}
      onDone={async ({ removed }) => {
        await reloadAdmins();
        tell(`${counted(removed, 'second factor')} of ${email} removed.`);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.text}>
            {counted(signIn?.factors ?? 0, 'second factor')} and all recovery codes of this account end, and
            it is signed out everywhere. Be sure that it is really the owner who asks for this.
          </p>
          <OwnPassword
            label="Your own password"
            data-autofocus
            {...form.getInputProps('password')}
            key={form.key('password')}
          />
        </>
      )}
    </FormDialog>
  );
}
