import { PasswordInput } from '@mantine/core';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { sessionQuery, useSession } from '../app/session/session.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { OwnPassword } from '../parts/inputs/own-password.tsx';
import { PasswordRules } from '../parts/inputs/password-rules.tsx';
import { tell } from '../parts/tell.ts';
import { reloadProfile } from './profile-queries.ts';

/** Changes one's own password. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin, rules } = useSession();
  return (
    <FormDialog
      title="Change password"
      action="Change password"
      initialValues={{ current_password: '', password: '' }}
      validate={{
        password: (text) => (text === '' ? 'Enter the new password.' : null),
        current_password: (text) =>
          rules.strict_roles && text === '' ? 'Enter the password that you have now.' : null,
      }}
      send={({ password, current_password: current }) =>
        client.call('admins.update', {
          id: admin.id,
          password,
          ...(rules.strict_roles ? { current_password: current } : {}),
        })
      }
      onDone={() => {
        void reloadProfile();
        void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
        tell('Password changed. Your other sessions ended.');
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          {rules.strict_roles && (
            <OwnPassword
              label="Current password"
              data-autofocus
              {...form.getInputProps('current_password')}
              key={form.key('current_password')}
            />
          )}
          <PasswordInput
            label="New password"
            description="You stay signed in here. All of your other sessions end."
            autoComplete="new-password"
            data-autofocus={!rules.strict_roles || undefined}
            {...form.getInputProps('password')}
            key={form.key('password')}
          />
          <PasswordRules form={form} email={admin.email} />
        </>
      )}
    </FormDialog>
  );
}
