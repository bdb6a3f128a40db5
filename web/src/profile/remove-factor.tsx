import { client } from '../app/data/client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { OwnPassword } from '../parts/inputs/own-password.tsx';
import { kindOf, nameOf } from './factor-names.ts';
import styles from './profile-page.module.css';
import { type Factor, reloadProfile } from './profile-queries.ts';

interface RemoveFactorProps {
  readonly factor: Factor;
  readonly isLast: boolean;
  readonly onClose: () => void;
}

/** Removes a factor, if the person knows the password. */
export function RemoveFactor({ factor, isLast, onClose }: RemoveFactorProps) {
  return (
    <FormDialog
      title={`Remove ${nameOf(factor)}?`}
      action="Remove"
      isDangerous
      initialValues={{ password: '' }}
      send={({ password }) => client.call('factors.delete', { id: factor.id, password })}
      onDone={async () => {
        await reloadProfile();
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.note}>
            {isLast
              ? 'It is your only one: signing in takes your password alone then, and your recovery codes end.'
              : `This ${kindOf(factor).toLowerCase()} no longer completes a sign-in.`}
          </p>
          <OwnPassword data-autofocus {...form.getInputProps('password')} key={form.key('password')} />
        </>
      )}
    </FormDialog>
  );
}
