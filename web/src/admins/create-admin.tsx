import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { storedEmail } from '../../../src/contract/schemas/stored-email.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import { emailInput } from '../parts/inputs/email-input.ts';
import { PasswordRules } from '../parts/inputs/password-rules.tsx';
import { tell } from '../parts/tell.ts';
import { reloadAdmins } from './admin-queries.ts';
import { RoleField } from './role-field.tsx';

/** Creates an account with a password that its owner is told otherwise. */
export function CreateAdmin({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  return (
    <FormDialog
      title="Create an admin"
      action="Create"
      initialValues={{ email: '', username: '', role: 'user' as Role, password: '' }}
      validate={{
        email: (text) => (text.trim() === '' ? 'Enter the email.' : null),
        password: (text) => (text === '' ? 'Enter a password.' : null),
      }}
      send={({ username, ...values }) =>
        client.call('admins.create', { ...values, ...(username.trim() === '' ? {} : { username }) })
      }
      onDone={async ({ admin }) => {
        await reloadAdmins();
        tell(`${admin.email} can sign in now.`);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label="Email"
            {...emailInput}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('email')}
            key={form.key('email')}
            onBlur={({ currentTarget }) => setEmail(storedEmail(currentTarget.value))}
          />
          <TextInput
            label="Name"
            description="Without one, it is the first part of the email."
            autoComplete="off"
            maxLength={100}
            {...form.getInputProps('username')}
            key={form.key('username')}
          />
          <RoleField {...form.getInputProps('role')} key={form.key('role')} />
          <PasswordInput
            label="Password"
            description="Tell it to the person in another way. They can change it in their profile."
            autoComplete="new-password"
            {...form.getInputProps('password')}
            key={form.key('password')}
          />
          <PasswordRules form={form} email={email} />
        </>
      )}
    </FormDialog>
  );
}
