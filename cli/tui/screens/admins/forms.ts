import { roleTexts } from '../../../../src/contract/roles.ts';
import { type Role, roles } from '../../../../src/contract/vocabulary.ts';
import { createForm, type Form } from '../../dialogs/form.tsx';
import type { Field } from '../../dialogs/form-fields.ts';
import type { App } from '../../state/app.ts';
import type { AdminRow } from './row.ts';

const passwordFields: readonly Field[] = [
  { name: 'password', label: 'Password', kind: 'secret', note: 'at least 6 characters' },
  { name: 'again', label: 'Password again', kind: 'secret' },
];
const mismatch = 'The passwords do not match.';

/** Returns the form for a new admin. `onCreated` runs after the form has closed. */
export function createAdminForm(app: App, onCreated: (id: string) => Promise<void>): Form {
  return createForm(app, {
    title: () => 'Create an admin',
    fields: [
      { name: 'email', label: 'E-mail', kind: 'text', note: 'grace@example.com' },
      { name: 'username', label: 'Username', kind: 'text', note: 'default: the e-mail up to the @' },
      {
        ...{ name: 'role', label: 'Role', kind: 'choice', options: [...roles].reverse(), initial: 'admin' },
        remark: (role) => roleTexts[role as Role],
      },
      ...passwordFields,
    ],
    async submit({ email = '', username = '', role = 'admin', password = '', again }) {
      if (password !== again) throw new Error(mismatch);
      const name = username.trim() === '' ? {} : { username };
      const { admin } = await app.call('admins.create', { email, password, role, ...name });
      app.showMessage(`Created ${admin.role} ${admin.email}.`);
      return () => onCreated(admin.id);
    },
  });
}

/** Returns the form that sets another password for an admin. */
export function passwordForm(app: App, { id, email }: AdminRow): Form {
  return createForm(app, {
    title: () => `New password for ${email} (ends its sessions)`,
    fields: passwordFields,
    async submit({ password = '', again }) {
      if (password !== again) throw new Error(mismatch);
      if (password === '') throw new Error('Enter a password.');
      await app.call('admins.update', { id, password });
      app.showMessage(`Changed the password of ${email}.`);
      return undefined;
    },
  });
}
