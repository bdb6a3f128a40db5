import type { OutputOf } from '../../../../src/contract/registry.ts';
import { ageColumn } from '../../components/age-column.ts';
import type { TableColumn } from '../../components/table.tsx';
import { theme } from '../../theme.ts';

export type AdminRow = OutputOf<'admins.list'>['admins'][number];

export function adminTableColumns(now: number): readonly TableColumn<AdminRow>[] {
  return [
    { heading: 'e-mail', value: ({ email }) => email, width: 'rest' },
    { heading: 'username', value: ({ username }) => username, width: 18, dropAs: 2 },
    {
      heading: 'role',
      value: ({ role }) => role,
      width: 10,
      paint: ({ role }) => (role === 'superadmin' ? theme.strong : (text) => text),
    },
    {
      heading: 'active',
      value: ({ is_active }) => (is_active === 1 ? '✓ yes' : '✗ no'),
      width: 6,
      paint: ({ is_active }) => (is_active === 1 ? theme.good : theme.bad),
    },
    ageColumn(({ created_at }) => created_at, now, { heading: 'created', width: 9, dropAs: 1 }),
    { heading: 'id', value: ({ id }) => id, width: 27, dropAs: 3, paint: () => theme.quiet },
  ];
}
