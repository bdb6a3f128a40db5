import { getRouteApi } from '@tanstack/react-router';
import { sessions as noun } from '../../../src/contract/fields/sessions.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { endAllSessions, limitsOf } from '../admins/admin-actions.tsx';
import type { SessionSearch } from '../app/addresses/searches.ts';
import { client } from '../app/data/client.ts';
import { type Session, useSession } from '../app/session/session.ts';
import { agoColumn } from '../kit/columns.tsx';
import { Filters } from '../kit/filters.tsx';
import { useList } from '../kit/list.ts';
import { resource } from '../kit/resource.ts';
import type { Action } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { Page } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';

type SessionOfAdmin = OutputOf<'sessions.list'>['sessions'][number];

export const sessions = resource<SessionOfAdmin, SessionSearch>({
  noun,
  isWhole: true,
  columns: [
    {
      field: 'email',
      phone: 'title',
      cell: ({ email, is_current: isCurrent }) => (
        <>
          {email} {isCurrent && <span className={sheet.tag}>This session</span>}
        </>
      ),
    },
    { field: 'role', from: 'wide' },
    {
      field: 'device',
      title: 'Device',
      phone: 'start',
      width: 'minmax(160px, 190px)',
      cell: ({ device }) => device || 'Unknown',
    },
    {
      field: 'address',
      title: 'Address',
      from: 'medium',
      width: '128px',
      cell: ({ address }) => address || 'Unknown',
    },
    agoColumn({ field: 'created_at', from: 'medium' }),
    agoColumn({ field: 'last_seen_at', phone: 'end' }),
    agoColumn({ field: 'expires_at', title: 'Expires', from: 'wide' }),
  ],
  async read({ q, role }, _part, signal) {
    const { sessions } = await client.call('sessions.list', { q, include: 'origin' }, signal);
    const wanted = role?.split(',');
    return { rows: sessions.filter((session) => wanted === undefined || wanted.includes(session.role)) };
  },
  changedBy: ({ type }) => (/^(session|admin)\./.test(type) ? 'any' : undefined),
});

function actionsFor(session: Session): readonly Action<SessionOfAdmin>[] {
  const adminOf = ({ admin_id: id, role }: SessionOfAdmin) => ({ id, role });
  return [
    {
      label: 'End session',
      isDangerous: true,
      unless: ({ is_current: isCurrent, ...row }) =>
        isCurrent ? 'This is your current session. Sign out instead.' : limitsOf(session, adminOf(row)).above,
      ask: ({ email, device, address }) => ({
        title: `End a session of ${email}?`,
        text: `${device || 'Unknown device'}, ${address || 'unknown address'}. It ends at once. What is not saved there may be lost.`,
        action: 'End session',
      }),
      run: ({ id }) => client.call('sessions.revoke', { id }),
      done: ({ email }) => `A session of ${email} ended.`,
    },
    { ...endAllSessions(adminOf, session), isDangerous: true },
  ];
}

const route = getRouteApi('/signed-in/sessions');

/** Lists who is signed in, and where. */
export function SessionsPage() {
  const { q, role } = route.useSearch();
  const list = useList(sessions, { q, role });
  const actions = actionsFor(useSession());
  return (
    <Page title="Sessions" bar={<Filters list={list} />}>
      <Table
        list={list}
        actions={actions}
        nameOf={({ email, device }) => `${email}, ${device || 'unknown device'}`}
        empty={{ title: 'Nobody is signed in' }}
      />
    </Page>
  );
}
