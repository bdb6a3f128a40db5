import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Field, Noun } from '../../../src/contract/fields/field.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { adminQuery, nameOf } from '../kit/admins.ts';
import { shownValue } from '../kit/columns.tsx';
import { useChange } from '../kit/use-change.ts';
import { MoreButton } from '../parts/buttons.tsx';
import { Entries, Entry, EntryNote, LongChange, ShortChange } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import { Failure } from '../parts/note.tsx';
import { inWords } from '../parts/words.ts';
import { type Issue, issues } from './issue-resource.ts';

type HistoryEntry = OutputOf<'issues.history'>['history'][number];

/** Who changed what of an issue, newest first. */
export function IssueHistory({ issue }: { readonly issue: Issue }) {
  const { id, created_at: created } = issue;
  const list = useInfiniteQuery({
    queryKey: ['issues', 'one', id, 'history'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.call('issues.history', { id, limit: 50, cursor }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  if (list.isError && !list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <EntryNote>Loading the history…</EntryNote>;
  const changes = Map.groupBy(
    list.data.pages.flatMap(({ history }) => history),
    ({ change_id }) => change_id,
  );
  return (
    <Entries>
      {[...changes].map(([change, fields]) => (
        <li key={change}>
          <ChangeEntry issue={issue} fields={fields} />
        </li>
      ))}
      <li>
        {list.hasNextPage ? (
          <MoreButton list={list}>Show earlier changes</MoreButton>
        ) : (
          <EntryNote>
            Created <Moment at={created} />
          </EntryNote>
        )}
      </li>
    </Entries>
  );
}

interface ChangeProps {
  readonly issue: Issue;
  /** The fields that it changed. */
  readonly fields: readonly HistoryEntry[];
}

/** One change, which can be undone for this issue as long as it is the last one of its fields. */
function ChangeEntry({ issue, fields }: ChangeProps) {
  const { change, isPending } = useChange(issues, issue.id);
  const [first] = fields;
  if (first === undefined) return null;
  const undo = () => change({ set: valuesOf(fields, 'before'), expected: valuesOf(fields, 'after') });
  return (
    <Entry
      author={first.actor}
      at={first.at}
      note={inWords(first.door)}
      actions={
        fields.every((entry) => isCurrent(issue, entry)) && (
          <Button size="compact-xs" variant="default" loading={isPending} onClick={undo}>
            Undo
          </Button>
        )
      }
    >
      {fields.map(({ field: name, before, after }) => {
        const field = (issues.noun as Noun).fields[name];
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

/** Reports whether a field still has the value that a change gave it. Of labels, a change has only what it added or removed. */
function isCurrent(issue: Issue, { field, after }: HistoryEntry): boolean {
  if (field === 'labels') return false;
  if (field === 'assignee_id') return (issue.assignee?.id ?? null) === after;
  return issue[field as keyof Issue] === after;
}

const valuesOf = (fields: readonly HistoryEntry[], side: 'before' | 'after') =>
  Object.fromEntries(fields.map((entry) => [entry.field, entry[side]]));
