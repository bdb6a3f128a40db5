import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { roles } from '../../../src/contract/vocabulary.ts';
import { wordOf } from '../app/search-params.ts';
import { useSession } from '../app/session.ts';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { counted } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { RelativeTime } from '../parts/time/relative-time.tsx';
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
      <>
        <span className={styles.email} title={email}>
          {email}
        </span>
        {isCurrent && <span className={styles.here}> · this session</span>}
      </>
    ),
  },
  { title: 'Role', phone: 'hidden', width: '112px', cell: ({ role }) => role },
  { title: 'Device', phone: 'start', width: '200px', cell: ({ device }) => device || 'Unknown' },
  { title: 'Address', phone: 'hidden', width: '160px', cell: ({ address }) => address || 'Unknown' },
  {
    title: 'Signed in',
    phone: 'hidden',
    width: '128px',
    cell: ({ created_at: at }) => <RelativeTime at={at} />,
  },
  {
    title: 'Last used',
    phone: 'end',
    width: '128px',
    cell: ({ last_seen_at: at }) => <RelativeTime at={at} />,
  },
  {
    title: 'Ends at the latest',
    phone: 'hidden',
    width: '136px',
    cell: ({ expires_at: at }) => <RelativeTime at={at} />,
  },
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
    rules.strict_roles && roles.indexOf(session.role) < roles.indexOf(me.role)
      ? 'Their role is above yours.'
      : undefined;

  return (
    <Page
      title="Sessions"
      bar={
        <>
          <SearchField
            label="Search sessions"
            text={q}
            className={styles.search}
            onChange={(text) => setFilter({ q: text })}
          />
          <NativeSelect
            aria-label="Role"
            data={[{ value: '', label: 'Any role' }, ...roles]}
            value={role ?? ''}
            onChange={({ currentTarget }) => setFilter({ role: wordOf(roles, currentTarget.value) })}
            className={styles.pick ?? ''}
          />
          <span className={styles.count} aria-live="polite">
            {sessions && counted(sessions.length, 'session')}
          </span>
        </>
      }
    >
      <div className={styles.content}>
        {error && data === undefined ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <ShortTable
            label="Sessions"
            columns={columns}
            rows={sessions}
            nameOf={({ email, device }) => `${email}, ${device || 'unknown device'}`}
            actions={(session) => [
              {
                label: 'End session…',
                run: () => void ends().then(({ endSession }) => endSession(session)),
                isDangerous: true,
                disabled:
                  session.is_current === true ? 'You use it now. Sign out instead.' : reasonOf(session),
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
        )}
      </div>
    </Page>
  );
}
