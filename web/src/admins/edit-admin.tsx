import { Loader, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rolesHelp } from '../../../src/contract/roles.ts';
import { storedEmail } from '../../../src/contract/schemas/stored-email.ts';
import { roles } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { useSession } from '../app/session/session.ts';
import { askForSession } from '../app/session/session-end.ts';
import { Dialog } from '../form/dialog.tsx';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { emailInput } from '../parts/inputs/email-input.ts';
import { OwnPassword } from '../parts/inputs/own-password.tsx';
import { Note } from '../parts/note.tsx';
import { tell } from '../parts/tell.ts';
import { type Admin, adminQuery, reloadAdmins } from './admin-queries.ts';
import { limitsOf } from './admin-rules.ts';

interface EditAdminProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Changes an admin, who may have been deleted since the list was loaded. */
export function EditAdmin({ id, onClose }: EditAdminProps) {
  const { data, error, refetch } = useQuery(adminQuery(id));
  if (data) return <EditForm admin={data} onClose={onClose} />;
  return (
    <Dialog opened title="Edit admin" onClose={onClose}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data === null && (
        <Note title="There is no such admin" action={{ label: 'Close', run: onClose }}>
          The account may have been deleted.
        </Note>
      )}
      {data === undefined && !error && <Loader aria-label="Loading" />}
    </Dialog>
  );
}

interface EditFormProps {
  readonly admin: Admin;
  readonly onClose: () => void;
}

function EditForm({ admin, onClose }: EditFormProps) {
  const session = useSession();
  const [first] = useState(admin);
  // What the person has been told: a change of a colleague meanwhile is not overwritten.
  const [seen, setSeen] = useState(admin);
  const limits = limitsOf(session, first);
  const isSelf = first.id === session.admin.id;
  const needsPassword = isSelf && session.rules.strict_roles;
  return (
    <FormDialog
      title={`Edit ${first.email}`}
      action="Save"
      initialValues={{
        email: first.email,
        username: first.username,
        role: first.role,
        current_password: '',
      }}
      send={async ({ email, username, role, current_password: password }) => {
        const set = {
          ...(username === first.username ? {} : { username }),
          ...([email, storedEmail(email)].includes(first.email) ? {} : { email }),
          ...(role === first.role ? {} : { role }),
        };
        if (Object.keys(set).length === 0) return false;
        const proof = needsPassword && 'email' in set ? { current_password: password } : {};
        const expected = { email: seen.email, username: seen.username, role: seen.role };
        await client.call('admins.update', { id: first.id, ...set, ...proof, expected });
        return true;
      }}
      onDone={async (isChanged) => {
        await Promise.all([reloadAdmins(), isSelf ? askForSession() : undefined]);
        if (isChanged) tell(`${first.email} was changed.`);
        onClose();
      }}
      onError={async () => {
        await reloadAdmins();
        // The next try is for what the message has just told.
        const now = await queryClient.fetchQuery(adminQuery(first.id));
        if (now !== null) setSeen(now);
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            maxLength={100}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('username')}
            key={form.key('username')}
          />
          <TextInput
            label="Email"
            description={limits.email ?? 'A new email signs them out everywhere.'}
            {...emailInput}
            autoComplete="off"
            readOnly={limits.email !== undefined}
            {...form.getInputProps('email')}
            key={form.key('email')}
          />
          <Select
            label="Role"
            description={limits.role ?? `A new role signs them out everywhere. ${rolesHelp}.`}
            data={roles}
            allowDeselect={false}
            readOnly={limits.role !== undefined}
            {...form.getInputProps('role')}
            key={form.key('role')}
          />
          {needsPassword && (
            <OwnPassword
              label="Your current password"
              description="Needed for a new email only."
              {...form.getInputProps('current_password')}
              key={form.key('current_password')}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
