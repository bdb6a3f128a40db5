import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { List } from '../kit/list.ts';
import { RecordDrawer } from '../kit/record.tsx';
import { Facts, LongChange, ShortChange } from '../parts/entries.tsx';
import { eventsOf, nounOf } from '../parts/event-types.ts';
import { exactTime } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { inWords } from '../parts/words.ts';
import { type AuditRecord, changedFields, valueInWords } from './audit-resource.tsx';

/** Shows one record beside the list. */
export function AuditDrawer({ list, id }: { readonly list: List<AuditRecord>; readonly id: number }) {
  return (
    <RecordDrawer list={list} id={id} closed={{ entry: undefined }} href={({ id }) => ({ entry: id })}>
      {(record) => <Details record={record} />}
    </RecordDrawer>
  );
}

/** Who acts, in words. */
const actorKinds: Readonly<Record<AuditRecord['actor_kind'], string>> = {
  admin: 'Admin',
  token: 'API token',
  operator: 'Operator at the command line',
  service: 'The service itself',
  nobody: 'Not signed in',
};

function Details({ record }: { readonly record: AuditRecord }) {
  const { created_at, actor_kind, actor, actor_id, door, address, operation, event } = record;
  const changes = changedFields(record);
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    ['When', <time key="when" dateTime={created_at} title={created_at} children={exactTime(created_at)} />],
    [
      'Who',
      <span key="who" className={sheet.row}>
        <bdi>{actor}</bdi>
        <Link to="/audit" search={{ actor }}>
          All their changes
        </Link>
      </span>,
    ],
    ['Kind', actorKinds[actor_kind]],
    ['ID', actor_id && <code key="id">{actor_id}</code>],
    ['Via', inWords(door)],
    ['From', address && <code key="address">{address}</code>],
    ['Operation', <code key="operation">{operation}</code>],
    ['Event', <code key="event">{event}</code>],
    ['Subject', <Subject key="subject" record={record} />],
  ];
  return (
    <article className={sheet.stack}>
      <h3 className={sheet.title}>{inWords(event)}</h3>
      <Facts facts={facts.filter(([, value]) => value)} />
      <h4 className={sheet.heading}>{record.before && record.after ? 'Changes' : 'Fields'}</h4>
      {changes.length === 0 && <p className={sheet.quiet}>No field was recorded.</p>}
      {changes.map((change) => (
        <Change key={change.name} {...change} />
      ))}
    </article>
  );
}

/** A text with more letters than this is shown on demand. */
const longText = 120;

function Change({ name, was, is }: ReturnType<typeof changedFields>[number]) {
  const label = inWords(name);
  const [before, after] = [was, is].map((value) => (value === undefined ? undefined : valueInWords(value)));
  if ([before, after].some((text = '') => text.length > longText || text.includes('\n')))
    return <LongChange label={label} before={before} after={after} />;
  return <ShortChange label={label} before={shown(before)} after={shown(after)} />;
}

const shown = (text: string | undefined) => text && <bdi>{text}</bdi>;

/** What a record is about, with links to it and to its other records. */
function Subject({ record }: { readonly record: AuditRecord }) {
  const { event, subject } = record;
  const link = linkOf(record);
  if (subject === null) return 'Several records';
  return (
    <span className={sheet.row}>
      <code>{subject}</code>
      {link !== undefined && <Link {...link}>Open it</Link>}
      <Link to="/audit" search={{ subject, event: eventsOf(event) }}>
        Its history
      </Link>
    </span>
  );
}

/** Returns the page of what a record is about, if it has one of its own. */
function linkOf({ event, subject: id }: AuditRecord): LinkProps | undefined {
  if (id === null || event.endsWith('.deleted') || event.endsWith('.erased')) return undefined;
  const noun = nounOf(event);
  if (noun === 'issue') return { to: '/issues', search: { issue: Number(id) } };
  if (noun === 'conversation') return { to: '/conversations', search: { id } };
  if (noun === 'webhook') return { to: '/webhooks', search: { webhook: Number(id) } };
  return undefined;
}
