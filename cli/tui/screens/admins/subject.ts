import { pages } from '../../../../src/contract/pages.ts';
import type { RowSubject } from '../../state/screen-types.ts';
import type { AdminRow } from './row.ts';

/** Returns what can be copied of an admin. */
export function adminSubject(admin: AdminRow | undefined): RowSubject | undefined {
  if (admin === undefined) return undefined;
  const { id, email, username, role, is_active } = admin;
  const text = `${username} <${email}>, ${role}, ${is_active === 1 ? 'active' : 'inactive'}, ${id}`;
  return {
    short: { text: email, name: `the e-mail of ${username}` },
    whole: { read: () => text, name: email },
    page: `${pages.admins.path}?q=${encodeURIComponent(email)}`,
  };
}
