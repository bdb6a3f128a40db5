import { useState } from 'react';
import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { sessionQuery, useSession } from '../app/session/session.ts';
import { askAgain, askForSession } from '../app/session/session-end.ts';
import { fieldsOf, ownPassword } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { useGo } from '../kit/go.ts';
import { tell } from '../parts/tell.tsx';
import { AppDialog, CodesDialog, type DialogProps, PasskeyDialog, RecoveryCodes } from './factor-dialogs.tsx';
import { ownSessions } from './profile-queries.tsx';

const dialogs = {
  account: AccountDialog,
  password: PasswordDialog,
  app: AppDialog,
  passkey: PasskeyDialog,
  codes: CodesDialog,
} as const;

/** The dialog of the page's address, then the recovery codes that it has made. All are loaded together, on demand. */
export function ProfileDialog({ dialog }: { readonly dialog: keyof typeof dialogs }) {
  const go = useGo();
  const close = () => go({ dialog: undefined });
  const [codes, setCodes] = useState<readonly string[]>();
  const Dialog = dialogs[dialog];
  if (codes) return <RecoveryCodes codes={codes} onClose={close} />;
  return <Dialog onClose={close} onDone={(made) => (made ? setCodes(made) : close())} />;
}

/** The field for what proves with strict roles who changes an account. */
const proof = { ...ownPassword, label: 'Current password', isRequired: true } as const;

/** Changes one's own name and e-mail. */
function AccountDialog({ onClose }: DialogProps) {
  const { admin, rules } = useSession();
  const valuesOf = ({ username, email }: typeof admin) => ({ username, email, current_password: '' });
  return (
    <FormDialog
      title="Edit account"
      fields={{
        ...fieldsOf(noun, {
          username: { label: 'Name', autoComplete: 'name' },
          email: {
            kind: 'email',
            about: 'You sign in with it. Changing it ends your other sessions.',
            autoComplete: 'email',
          },
        }),
        ...(rules.strict_roles && {
          current_password: { ...proof, about: 'Needed for a new e-mail only.', isRequired: false },
        }),
      }}
      start={valuesOf(admin)}
      now={valuesOf(admin)}
      reread={async () => {
        await askForSession();
        const now = queryClient.getQueryData(sessionQuery.queryKey)?.admin;
        return now && valuesOf(now);
      }}
      keep="account"
      at={['dialog']}
      send={async (set, { current_password: _, ...expected }) => {
        await client.call('admins.update', { id: admin.id, ...set, expected });
        await Promise.all([askAgain(), ownSessions.reload()]);
        tell('email' in set ? 'Account saved. Your other sessions ended.' : 'Account saved.');
      }}
      onCancel={onClose}
    />
  );
}

/** Changes one's own password. */
function PasswordDialog({ onClose }: DialogProps) {
  const { admin, rules } = useSession();
  const must = rules.strict_roles ? 'Not' : 'Better not';
  return (
    <FormDialog
      title="Change password"
      action="Change password"
      fields={{
        ...(rules.strict_roles && { current_password: proof }),
        password: {
          label: 'New password',
          kind: 'password',
          isRequired: true,
          about: `At least ${rules.password_min_length} characters. ${must} your e-mail or its first part, and ${must.toLowerCase()} a common password. All of your other sessions end.`,
        },
      }}
      start={{ password: '', ...(rules.strict_roles && { current_password: '' }) }}
      at={['dialog']}
      send={async (set) => {
        await client.call('admins.update', { id: admin.id, ...set });
        await Promise.all([
          ownSessions.reload(),
          queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
        ]);
        tell('Password changed. Your other sessions ended.');
      }}
      onCancel={onClose}
    />
  );
}
