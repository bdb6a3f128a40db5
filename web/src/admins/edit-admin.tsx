import { useQuery } from '@tanstack/react-query';
import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { askForSession } from '../app/session/session-end.ts';
import { Dialog } from '../form/dialog.tsx';
import { fieldsOf } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { formOfRow } from '../kit/use-change.ts';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { counted } from '../parts/numbers.ts';
import { tell } from '../parts/tell.ts';
import { limitsOf } from './admin-actions.tsx';
import { type Admin, admins } from './admin-resource.tsx';

interface EditAdminProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Changes an admin, who may have been deleted since the list was loaded. */
export function EditAdmin({ id, onClose }: EditAdminProps) {
  const session = useSession();
  const { data: admin, error, refetch } = useQuery(admins.oneQuery(id));
  const refusal = admin ? limitsOf(session, admin).name : undefined;
  if (admin && refusal === undefined) return <EditForm admin={admin} onClose={onClose} />;
  return (
    <Dialog opened title={admin ? admin.email : 'Edit admin'} onClose={onClose}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {refusal && <Note title="You may not change this admin">{refusal}</Note>}
      {admin === null && <Note title="There is no such admin">The account may have been deleted.</Note>}
    </Dialog>
  );
}

interface EditFormProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

function EditForm({ admin, onClose }: EditFormProps) {
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
  const { send, ...form } = formOfRow(admins, admin, fields);
  return (
    <FormDialog
      {...withOwnPassword(form, isSelf && session.rules.strict_roles)}
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

const ownPassword = {
  label: 'Your current password',
  kind: 'password',
  about: 'Needed for a new e-mail only.',
  autoComplete: 'current-password',
} as const;

/** Adds the field for one's own password to a form, if it is needed to change one's own account. */
function withOwnPassword<F extends Pick<ReturnType<typeof formOfRow>, 'fields' | 'start' | 'now' | 'reread'>>(
  form: F,
  isNeeded: boolean,
): F {
  if (!isNeeded) return form;
  const { fields, start, now, reread } = form;
  return {
    ...form,
    fields: { ...fields, current_password: ownPassword },
    start: { ...start, current_password: '' },
    now: { ...now, current_password: '' },
    reread: async () => ({ ...(await reread()), current_password: '' }),
  };
}

interface ResetFactorsProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

/** Removes all second factors of an admin who has lost them. */
export function ResetFactors({ admin: { id, email, sign_in: signIn }, onClose }: ResetFactorsProps) {
  const count = counted(signIn?.factors ?? 0, 'second factor');
  return (
    <FormDialog
      title={`Reset the second factor of ${email}?`}
      action="Reset"
      isDangerous
      text={`${count} and all recovery codes of this account are removed, and it is signed out everywhere. Make sure that the owner of the account has asked for this.`}
      fields={{
        password: { ...ownPassword, label: 'Your own password', about: undefined, isRequired: true },
      }}
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
