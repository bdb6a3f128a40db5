import { Fragment } from 'react';
import { auditRecords } from '../../../src/contract/fields/audit.ts';
import { defineNoun } from '../../../src/contract/fields/field.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import type { FilterOf } from '../kit/address.ts';
import { resource } from '../kit/resource.ts';
import { Icon } from '../parts/icon.tsx';
import { DayMoment } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { inWords } from '../parts/words.ts';

/** A record, with its actor and its subject under the names of the address and of the filter. */
export type AuditRecord = OutputOf<'audit.list'>['audit'][number] & {
  readonly actor: string;
  readonly subject: string | null;
};

const { id, created_at, actor_kind, actor_name, door, address, operation, event, subject_id } =
  auditRecords.fields;

/** The noun as the page filters it and saves it: every record has more than the catalogue says. */
export const auditNoun = defineNoun({
  ...auditRecords,
  lead: ['event', 'actor', 'door', 'subject'],
  fields: {
    id,
    created_at,
    actor: { ...actor_name, filter: 'one' },
    actor_kind,
    actor_id: { kind: 'textId', label: 'Id of actor', example: 'admin_1769851800000_k3x9a2' },
    door,
    address,
    operation,
    event,
    subject: { ...subject_id, label: 'Subject', filter: 'one' },
    before: { kind: 'text', label: 'Before', example: '' },
    after: { kind: 'text', label: 'After', example: '' },
  },
});

type AuditFilter = FilterOf<typeof auditNoun>;

/** The names that one can filter by: those of admins and of tokens. */
const actorNames = {
  queryKey: ['audit', 'actors'],
  async queryFn({ signal }: { readonly signal: AbortSignal }) {
    const [{ admins }, { tokens }] = await Promise.all([
      client.call('admins.list', { limit: 100 }, signal),
      client.call('tokens.list', {}, signal),
    ]);
    return [...new Set([...admins.map(({ email }) => email), ...tokens.map(({ name }) => `token:${name}`)])];
  },
};

/** Who changed what and when. Records never change, so only new ones are counted while the page is open. */
export const audit = resource<AuditRecord, AuditFilter>({
  noun: auditNoun,
  isFixed: true,
  hasPeriod: true,
  suggest: { actor: actorNames },
  columns: [
    {
      field: 'created_at',
      width: '152px',
      phone: 'end',
      sorts: false,
      cell: ({ created_at: at }) => <DayMoment at={at} />,
    },
    { field: 'event', width: '184px', phone: 'title', cell: (record) => inWords(record.event) },
    { field: 'actor', width: 'minmax(120px, 220px)', phone: 'start' },
    { field: 'subject', width: '112px', from: 'medium' },
    { field: 'after', title: 'Change', from: 'narrow', cell: (record) => <Change record={record} /> },
    { field: 'door', width: '120px', from: 'wide' },
  ],
  async read({ subject: subject_id, ...filter }, { id: only, ...part }, signal) {
    const one = only === undefined ? {} : { after: String(Number(only) - 1), limit: 1 };
    const input = { ...filter, subject_id, ...part, ...one } as const;
    const page = await client.call('audit.list', input, signal);
    const rows = page.audit.map((row) => ({ ...row, actor: row.actor_name, subject: row.subject_id }));
    return { rows, next: page.nextCursor ?? undefined, total: page.total };
  },
});

/**
 * Returns the fields that differ, and those of something that was created or deleted, with their values. One that is
 * undefined was or is not there.
 */
export function changedFields({ before, after: recorded }: AuditRecord) {
  const { set, ...others } = recorded ?? {};
  // The record of a bulk change has the new values together in `set`.
  const after = set !== null && typeof set === 'object' ? { ...set, ...others } : recorded;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({ name, was: before?.[name], is: after?.[name] }))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is))
    .filter(({ name, was, is }) => {
      // A change of labels says which it adds and removes.
      if (name === 'labels' && after !== null && is === undefined) return false;
      return [was, is].some((value) => valueInWords(value) !== '');
    });
}

/** A change in one line: each field with its value before and after. */
function Change({ record }: { readonly record: AuditRecord }) {
  return (
    <bdi className={sheet.quiet}>
      {changedFields(record).map(({ name, was, is }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          {inWords(name)}: {was !== undefined && (valueInWords(was) || 'empty')}
          {was !== undefined && is !== undefined && <Icon name="forward" />}
          {is !== undefined && (valueInWords(is) || 'empty')}
        </Fragment>
      ))}
    </bdi>
  );
}

/** Returns a value as a text: of several, each, and anything else as JSON. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueInWords).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
