import { useQuery } from '@tanstack/react-query';
import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { askForSession } from '../app/session/session-end.ts';
import { Dialog } from '../form/dialog.tsx';
import { type Field, fieldsOf } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { formOfRow } from '../kit/row-form.ts';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { counted } from '../parts/numbers.ts';
import { tell } from '../parts/tell.ts';
import { limitsOf } from './admin-actions.tsx';
import { type Admin, admins } from './admin-resource.tsx';

interface DialogProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

/** The field for one's own password, which proves who acts. */
const ownPassword = { kind: 'password', autoComplete: 'current-password' } as const;

/** Changes an admin, who may have been deleted since the list was loaded. */
export function EditAdmin({ id, onClose }: Omit<DialogProps, 'admin'> & { readonly id: string }) {
  const session = useSession();
  const { data: admin, error, refetch } = useQuery(admins.oneQuery(id));
  const refusal = admin ? limitsOf(session, admin).above : undefined;
  if (admin && refusal === undefined) return <EditForm admin={admin} onClose={onClose} />;
  return (
    <Dialog opened title={admin ? admin.email : 'Edit admin'} onClose={onClose}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {refusal && <Note title="You may not change this admin">{refusal}</Note>}
      {admin === null && <Note title="There is no such admin">The account may have been deleted.</Note>}
    </Dialog>
  );
}

function EditForm({ admin, onClose }: DialogProps) {
  const session = useSession();
  const limits = limitsOf(session, admin);
  const isSelf = admin.id === session.admin.id;
  const fields = fieldsOf(noun, {
    username: { label: 'Name' },
    email: {
      kind: 'email',
      about: limits.email ?? 'A new e-mail signs them out everywhere.',
      isFixed: limits.email !== undefined,
      isRequired: false,
    },
    role: {
      about: limits.role ?? `A new role signs them out everywhere. ${rolesHelp}.`,
      isFixed: limits.role !== undefined,
    },
  });
  const about = 'Needed for a new e-mail only.';
  const proof: Readonly<Record<string, Field>> =
    isSelf && session.rules.strict_roles
      ? { current_password: { ...ownPassword, label: 'Your current password', about } }
      : {};
  const row = { ...admin, current_password: '' };
  const { send, ...form } = formOfRow(admins, row, { ...fields, ...proof });
  return (
    <FormDialog
      {...form}
      title={`Edit ${admin.email}`}
      at={['edit']}
      send={async (set, expected) => {
        await send(set, expected);
        if (isSelf) await askForSession();
        tell(`${admin.email} was changed.`);
      }}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}

/** Removes all second factors of an admin who has lost them. */
export function ResetFactors({ admin: { id, email, sign_in: signIn }, onClose }: DialogProps) {
  const count = counted(signIn?.factors ?? 0, 'second factor');
  return (
    <FormDialog
      title={`Reset the second factor of ${email}?`}
      action="Reset"
      isDangerous
      text={`${count} and all recovery codes of this account are removed, and it is signed out everywhere. Make sure that the owner of the account has asked for this.`}
      fields={{ password: { ...ownPassword, label: 'Your own password', isRequired: true } }}
      start={{ password: '' }}
      send={async ({ password = '' }) => {
        const { removed } = await client.call('factors.reset', { id, password });
        tell(`${counted(removed, 'second factor')} of ${email} removed.`);
        await admins.refresh([id]);
      }}
      onDone={onClose}
      onCancel={onClose}
    />
  );
}
