import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { storedEmail } from '../../../src/contract/schemas/stored-email.ts';
import { client } from '../app/data/client.ts';
import { queryClient } from '../app/data/query-client.ts';
import { sessionQuery, useSession } from '../app/session/session.ts';
import { askForSession } from '../app/session/session-end.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { emailInput } from '../parts/inputs/email-input.ts';
import { OwnPassword } from '../parts/inputs/own-password.tsx';
import { tell } from '../parts/tell.ts';
import { reloadProfile } from './profile-queries.ts';

/** Changes one's own name and e-mail. */
export function AccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin, rules } = useSession();
  const [first] = useState({ email: admin.email, username: admin.username });
  // What the person has been told: a change of a colleague meanwhile is not overwritten.
  const [seen, setSeen] = useState(first);
  return (
    <FormDialog
      title="Edit account"
      action="Save"
      initialValues={{ ...first, current_password: '' }}
      send={async ({ email, username, current_password: password }) => {
        const isNewEmail = ![email, storedEmail(email)].includes(first.email);
        const set = {
          ...(username === first.username ? {} : { username }),
          ...(isNewEmail ? { email } : {}),
        };
        const proof = isNewEmail && rules.strict_roles ? { current_password: password } : {};
        if (Object.keys(set).length > 0)
          await client.call('admins.update', { id: admin.id, ...set, ...proof, expected: seen });
        return isNewEmail;
      }}
      onDone={async (isNewEmail) => {
        await Promise.all([askForSession(), reloadProfile()]);
        tell(isNewEmail ? 'Account saved. Your other sessions ended.' : 'Account saved.');
        onClose();
      }}
      onError={async () => {
        await askForSession();
        const now = queryClient.getQueryData(sessionQuery.queryKey)?.admin;
        if (now) setSeen({ email: now.email, username: now.username });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            autoComplete="name"
            maxLength={100}
            data-autofocus
            {...form.getInputProps('username')}
            key={form.key('username')}
          />
          <TextInput
            label="Email"
            description="You sign in with it. Changing it ends your other sessions."
            {...emailInput}
            autoComplete="email"
            {...form.getInputProps('email')}
            key={form.key('email')}
          />
          {rules.strict_roles && (
            <OwnPassword
              label="Current password"
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
