import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Field } from '../../../src/contract/fields/field.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { Entries, Entry, EntryNote, LongChange, ShortChange } from '../parts/entries.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { inWords } from '../parts/words.ts';
import { type Assignee, adminQuery, nameOf } from './admins.ts';
import { shownValue } from './columns.tsx';
import type { Resource } from './resource.ts';
import type { AnyRow } from './rows.ts';
import { useChange } from './use-change.ts';

type Page = OutputOf<'issues.history'>;
type HistoryEntry = Page['history'][number];

interface HistoryProps<Row extends AnyRow> {
  readonly of: Resource<Row>;
  readonly row: Row;
  readonly read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
}

/** Who changed what of a row, newest first. */
export function History<Row extends AnyRow>({ of, row, read }: HistoryProps<Row>) {
  const list = useInfiniteQuery({
    queryKey: [of.noun.id, 'one', row.id, 'history'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  if (list.isError && !list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <EntryNote>Loading the history…</EntryNote>;
  const entries = list.data.pages.flatMap(({ history }) => history);
  return (
    <Entries>
      {[...Map.groupBy(entries, ({ change_id }) => change_id).values()].map((fields) => (
        <li key={fields[0]?.change_id}>
          <ChangeEntry of={of} row={row} fields={fields} />
        </li>
      ))}
      <li>
        {list.hasNextPage ? (
          <MoreButton list={list}>Show earlier changes</MoreButton>
        ) : (
          <EntryNote>Created {row.created_at && <Moment at={row.created_at} />}</EntryNote>
        )}
      </li>
    </Entries>
  );
}

interface ChangeProps<Row extends AnyRow> extends Pick<HistoryProps<Row>, 'of' | 'row'> {
  /** The fields that it changed. */
  readonly fields: readonly HistoryEntry[];
}

/** One change, which can be undone for this row as long as it is the last one of its fields. */
function ChangeEntry<Row extends AnyRow>({ of, row, fields }: ChangeProps<Row>) {
  const { change, isPending } = useChange(of, row.id);
  const [first] = fields;
  if (first === undefined) return null;
  const undo = () => change({ set: valuesOf(fields, 'before'), expected: valuesOf(fields, 'after') });
  return (
    <Entry
      author={first.actor}
      at={first.at}
      note={inWords(first.door)}
      actions={
        fields.every((entry) => isCurrent(row, entry)) && (
          <Button size="compact-xs" variant="default" loading={isPending} onClick={undo}>
            Undo
          </Button>
        )
      }
    >
      {fields.map(({ field: name, before, after }) => {
        const field = of.noun.fields[name];
        const label = field?.label ?? name;
        return field?.kind === 'text' && name !== 'title' ? (
          <LongChange key={name} label={label} before={before} after={after} />
        ) : (
          <ShortChange key={name} label={label} before={shown(field, before)} after={shown(field, after)} />
        );
      })}
    </Entry>
  );
}

function shown(field: Field | undefined, value: string | null): ReactNode {
  if (field?.kind === 'admin') return value === null ? 'Nobody' : <AdminName id={value} />;
  if (!value || field === undefined || field.kind === 'labels') return value || 'Empty';
  return shownValue(field, value);
}

/** The name of an admin. The history has only the id. */
function AdminName({ id }: { readonly id: string }) {
  const { data: admin } = useQuery(adminQuery(id));
  return admin ? nameOf(admin) : admin === null ? 'A former admin' : '…';
}

/** Reports whether a field still has the value that a change gave it. */
function isCurrent(row: object, { field, after }: HistoryEntry): boolean {
  if (field === 'labels') return false;
  if (field === 'assignee_id')
    return ((row as { assignee?: Assignee | null }).assignee?.id ?? null) === after;
  return (row as { [name: string]: unknown })[field] === after;
}

const valuesOf = (fields: readonly HistoryEntry[], side: 'before' | 'after') =>
  Object.fromEntries(fields.map((entry) => [entry.field, entry[side]]));
