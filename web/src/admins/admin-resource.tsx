import { admins as noun } from '../../../src/contract/fields/admins.ts';
import { invitations as invitationNoun } from '../../../src/contract/fields/invitations.ts';
import type { InputOf, OutputOf } from '../../../src/contract/registry.ts';
import type { AdminFilter } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { may } from '../app/session/permissions.ts';
import { lastKnownSession } from '../app/session/session.ts';
import { agoColumn } from '../kit/columns.tsx';
import { allRows } from '../kit/csv.ts';
import { resource } from '../kit/resource.ts';
import type { Column, Page, Part } from '../kit/rows.ts';
import sheet from '../parts/sheet.module.css';

export type Admin = ReturnType<typeof rowOf>;
export type Invitation = OutputOf<'invitations.list'>['invitations'][number];

type Change = Omit<InputOf<'admins.update'>, 'id' | 'expected'>;

/** Admins that one call lists; and up to how many are read again one by one. */
const maxListed = 100;
const maxSingle = 5;

const isOwn = ({ id }: Admin) => id === lastKnownSession()?.admin.id;

const rowOf = (admin: OutputOf<'admins.list'>['admins'][number]) => ({
  ...admin,
  last_sign_in: admin.sign_in?.last_at,
});

/** The columns for those who may see the sign-ins of others. */
export const managerColumns: readonly Column<Admin>[] = [
  {
    field: 'username',
    title: 'Name',
    phone: 'title',
    cell: (admin) => (
      <>
        <bdi>{admin.username || admin.email}</bdi> {isOwn(admin) && <span className={sheet.tag}>You</span>}
      </>
    ),
  },
  { field: 'email', phone: 'start' },
  { field: 'role', width: '112px' },
  {
    field: 'is_active',
    title: 'Status',
    phone: 'end',
    width: '88px',
    cell: ({ is_active: isActive }) =>
      isActive === 1 ? 'Active' : <span className={sheet.quiet}>Inactive</span>,
  },
  {
    field: 'factors',
    title: 'Second factor',
    from: 'wide',
    width: '112px',
    cell: ({ sign_in: signIn }) => (signIn?.factors ? 'On' : <span className={sheet.quiet}>Off</span>),
  },
  agoColumn({ field: 'last_sign_in', title: 'Last sign-in', from: 'medium' }, 'None in 90 days'),
  agoColumn({ field: 'created_at', from: 'medium' }),
];

/** The admins, a page of the API after the other. */
export const admins = resource<Admin, AdminFilter, Change>({
  noun,
  columns: managerColumns.filter(({ field }) => field !== 'factors' && field !== 'last_sign_in'),
  order: 'created_at',
  async read(filter, { id, cursor = '1', limit = maxListed }: Part, signal): Promise<Page<Admin>> {
    const role = lastKnownSession()?.admin.role ?? 'user';
    const include = may(role, 'sessions.list') ? 'sign_in' : undefined;
    const list = async (page: number, q = filter.q): Promise<Page<Admin>> => {
      const input = { ...filter, q, page, limit: Math.min(limit, maxListed), include };
      const answer = await client.call('admins.list', input as InputOf<'admins.list'>, signal);
      const { total, totalPages } = answer.pagination;
      return {
        rows: answer.admins.map(rowOf),
        next: page < totalPages ? String(page + 1) : undefined,
        total,
      };
    };
    if (id === undefined) return await list(Number(cursor));
    const ids = id.split(',');
    if (ids.length <= maxSingle) {
      const found = await Promise.all(ids.map((q) => list(1, q)));
      return { rows: found.flatMap(({ rows }) => rows) };
    }
    const rows: Admin[] = [];
    for await (const page of allRows(admins, filter, signal)) rows.push(...page);
    return { rows };
  },
  async update(id, set, { current_password: _, ...expected }) {
    await client.call('admins.update', { id, ...set, expected } as InputOf<'admins.update'>);
  },
  changedBy: ({ type }) => (/^(invitation\.|factor\.|session\.started$)/.test(type) ? 'any' : undefined),
});

/** The invitations that nobody has accepted yet. */
export const invitations = resource<Invitation>({
  noun: { ...invitationNoun, one: 'invitation' },
  isWhole: true,
  columns: [
    { field: 'email', phone: 'title' },
    { field: 'role', phone: 'start', width: '112px' },
    { field: 'invited_by', from: 'medium' },
    agoColumn({ field: 'created_at', from: 'medium' }),
    agoColumn({ field: 'expires_at', phone: 'end' }),
  ],
  read: async (_filter, _part, signal) => ({
    rows: (await client.call('invitations.list', {}, signal)).invitations,
  }),
});
