import type { ShortColumn } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import { useNow } from '../parts/time/use-now.ts';
import type { Token } from './token-queries.ts';
import styles from './tokens-page.module.css';

/** A token that expires within this time is marked. */
const soonMs = 7 * 86_400_000;

const name: ShortColumn<Token> = {
  title: 'Name',
  phone: 'title',
  cell: ({ name, read_only, scope }) => (
    <span className={styles.name}>
      {name}
      {read_only && <span className={styles.tag}>Read only</span>}
      {scope === 'intake' && <span className={styles.tag}>Only sends in</span>}
    </span>
  ),
};

const owner: ShortColumn<Token> = {
  title: 'Owner',
  phone: 'hidden',
  cell: ({ owner, created_by }) =>
    owner === null ? <span className={styles.quiet}>None, by {created_by}</span> : (owner.email ?? owner.id),
};

const role: ShortColumn<Token> = { title: 'Role', phone: 'hidden', width: '112px', cell: ({ role }) => role };

const lastUsed = timeColumn<Token>({
  title: 'Last used',
  phone: 'end',
  width: '136px',
  at: ({ last_used_at }) => last_used_at,
  none: <span className={styles.quiet}>Never used</span>,
});

const created = timeColumn<Token>({
  title: 'Created',
  phone: 'hidden',
  from: 'wide',
  width: '136px',
  at: ({ created_at }) => created_at,
});

const end: ShortColumn<Token> = {
  title: 'Expires',
  phone: 'start',
  width: '184px',
  cell: (token) => <End token={token} />,
};

/** The columns of the tokens. Only superadmins see those of others. */
export function tokenColumns(withOwner: boolean): readonly ShortColumn<Token>[] {
  return [name, ...(withOwner ? [owner] : []), role, lastUsed, created, end];
}

function End({ token: { state, expires_at, revoked_at } }: { readonly token: Token }) {
  const now = useNow();
  if (state === 'revoked' && revoked_at !== null)
    return (
      <span className={styles.quiet}>
        Revoked <RelativeTime at={revoked_at} />
      </span>
    );
  if (expires_at === null) return <span className={styles.quiet}>Never expires</span>;
  if (state === 'expired')
    return (
      <span className={styles.quiet}>
        Expired <RelativeTime at={expires_at} />
      </span>
    );
  const isSoon = Date.parse(expires_at) - now < soonMs;
  return (
    <span className={isSoon ? styles.warning : undefined}>
      Expires <RelativeTime at={expires_at} />
    </span>
  );
}
