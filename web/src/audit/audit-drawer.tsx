import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Changes } from '../parts/changes/changes.tsx';
import { SideDrawer } from '../parts/dialogs/side-drawer.tsx';
import { eventInWords, eventsOf } from '../parts/event-types.ts';
import { Facts } from '../parts/facts.tsx';
import { Failure } from '../parts/failure.tsx';
import { Note } from '../parts/note.tsx';
import { exactTime } from '../parts/time/exact-time.ts';
import { RelativeTime } from '../parts/time/relative-time.tsx';
import styles from './audit-drawer.module.css';
import { type AuditEntry, auditEntryQuery } from './audit-queries.ts';
import { actorKindWords, changedFields, doorWords, subjectLink } from './audit-words.ts';

interface AuditDrawerProps {
  /** The entry of the page's address. */
  readonly id: number | undefined;
  readonly onClose: () => void;
}

/** Shows one entry beside the list. */
export function AuditDrawer({ id, onClose }: AuditDrawerProps) {
  return (
    <SideDrawer isOpen={id !== undefined} onClose={onClose} size="md" title={id && `Entry ${id}`}>
      {id !== undefined && <Content id={id} />}
    </SideDrawer>
  );
}

function Content({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery(auditEntryQuery(id));
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <div data-loading className={styles.loading} />;
  if (data === null) return <Note title="There is no such entry">The retention may have deleted it.</Note>;
  return <Details entry={data} />;
}

function Details({ entry }: { readonly entry: AuditEntry }) {
  const { created_at: at, actor_kind, actor_name, actor_id, door, address, operation, event } = entry;
  const changes = changedFields(entry.before, entry.after);
  return (
    <article className={styles.details}>
      <h2 className={styles.title}>{eventInWords(event)}</h2>
      <Facts
        facts={[
          [
            'When',
            <span key="when">
              {exactTime(at)} (<RelativeTime at={at} />)
            </span>,
          ],
          ['Exactly', <code key="at">{at}</code>],
          [
            'Who',
            <span key="who">
              {actor_name}
              <Link to="/audit" search={{ actor: actor_name }} className={styles.link}>
                Other entries
              </Link>
            </span>,
          ],
          ['Kind', actorKindWords[actor_kind]],
          ...(actor_id === null ? [] : [['ID', <code key="id">{actor_id}</code>] as const]),
          ['Through', doorWords[door]],
          ...(address === '' ? [] : [['Address', <code key="address">{address}</code>] as const]),
          ['Operation', <code key="operation">{operation}</code>],
          ['Event', <code key="event">{event}</code>],
          ['Subject', <Subject key="subject" entry={entry} />],
        ]}
      />
      <h3 className={styles.heading}>{entry.before && entry.after ? 'Changes' : 'Fields'}</h3>
      {changes.length === 0 ? (
        <p className={styles.none}>No field was recorded.</p>
      ) : (
        <Changes changes={changes} />
      )}
    </article>
  );
}

function Subject({ entry }: { readonly entry: AuditEntry }) {
  const { event, subject_id: id } = entry;
  const link = subjectLink(entry);
  if (id === null) return 'Not a single one';
  return (
    <>
      <code>{id}</code>
      {link !== undefined && (
        <Link {...link} className={styles.link}>
          Open it
        </Link>
      )}
      <Link to="/audit" search={{ subject: id, event: eventsOf(event) }} className={styles.link}>
        Its history
      </Link>
    </>
  );
}
