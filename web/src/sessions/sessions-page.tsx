import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { roles } from '../../../src/contract/vocabulary.ts';
import { wordOf } from '../app/search-params.ts';
import { isAbove } from '../app/session/permissions.ts';
import { useSession } from '../app/session/session.ts';
import { SearchField } from '../parts/inputs/search-field.tsx';
import { Note } from '../parts/note.tsx';
import { Count, Page, PageContent } from '../parts/page/page.tsx';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import { type SessionOfAdmin, sessionsQuery } from './session-queries.ts';
import type { SessionSearch } from './session-search.ts';
import styles from './sessions-page.module.css';

/** Loaded when it is needed. */
const ends = () => import('./end-sessions.tsx');

const route = getRouteApi('/signed-in/sessions');

const columns: readonly ShortColumn<SessionOfAdmin>[] = [
  {
    title: 'Person',
    phone: 'title',
    cell: ({ email, is_current: isCurrent }) => (
      <span className={styles.person}>
        <span className={styles.email} title={email}>
          {email}
        </span>
        {isCurrent && <span className={styles.here}>· this session</span>}
      </span>
    ),
  },
  { title: 'Role', phone: 'hidden', from: 'wide', width: '104px', cell: ({ role }) => role },
  { title: 'Device', phone: 'start', width: '160px', cell: ({ device }) => device || 'Unknown' },
  { title: 'Address', phone: 'hidden', width: '128px', cell: ({ address }) => address || 'Unknown' },
  timeColumn({ title: 'Signed in', phone: 'hidden', width: '120px', at: ({ created_at }) => created_at }),
  timeColumn({ title: 'Last used', phone: 'end', width: '120px', at: ({ last_seen_at }) => last_seen_at }),
  timeColumn({
    title: 'Expires',
    phone: 'hidden',
    from: 'wide',
    width: '112px',
    at: ({ expires_at }) => expires_at,
  }),
];

/** Lists who is signed in, and where. */
export function SessionsPage() {
  const { q, role } = route.useSearch();
  const navigate = route.useNavigate();
  const { admin: me, rules } = useSession();
  const { data, error, refetch } = useQuery(sessionsQuery(q));
  const sessions = data?.filter((session) => role === undefined || session.role === role);
  const setFilter = (part: SessionSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });

  /** Returns why one may not end the sessions of an admin. */
  const reasonOf = (session: SessionOfAdmin) =>
    rules.strict_roles && isAbove(session.role, me.role) ? 'Their role is above yours.' : undefined;

  return (
    <Page
      title="Sessions"
      bar={
        <>
          <SearchField label="Search sessions" text={q} onChange={(text) => setFilter({ q: text })} />
          <NativeSelect
            aria-label="Role"
            data={[{ value: '', label: 'Any role' }, ...roles]}
            value={role ?? ''}
            onChange={({ currentTarget }) => setFilter({ role: wordOf(roles, currentTarget.value) })}
            className={styles.pick ?? ''}
          />
          <Count count={sessions?.length} noun="session" />
        </>
      }
    >
      <PageContent>
        <ShortTable
          label="Sessions"
          columns={columns}
          rows={sessions}
          error={error}
          retry={() => void refetch()}
          nameOf={({ email, device }) => `${email}, ${device || 'unknown device'}`}
          actions={(session) => [
            {
              label: 'End session…',
              run: () => void ends().then(({ endSession }) => endSession(session)),
              isDangerous: true,
              disabled: session.is_current === true ? 'You use it now. Sign out instead.' : reasonOf(session),
            },
            {
              label: 'End all of this person…',
              run: () => void ends().then(({ endAllOf }) => endAllOf(session)),
              isDangerous: true,
              disabled: session.admin_id === me.id ? 'End your own in your profile.' : reasonOf(session),
            },
          ]}
          empty={
            <Note
              title="No session matches"
              action={{ label: 'Clear the filters', run: () => void navigate({ search: {} }) }}
            />
          }
        />
      </PageContent>
    </Page>
  );
}
