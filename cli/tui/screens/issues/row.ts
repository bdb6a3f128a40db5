import type { z } from 'zod';
import type { issueSchema } from '../../../../src/contract/schemas/issues.ts';
import { ageColumn } from '../../components/age-column.ts';
import type { TableColumn } from '../../components/table.tsx';
import { type Paint, severityPaint, statusPaint, theme } from '../../theme.ts';

type Issue = z.infer<typeof issueSchema>;

/** An issue without its long texts, because a list may hold a hundred thousand. */
export type IssueRow = Pick<Issue, 'id' | 'title' | 'category' | 'severity' | 'status'> & {
  /** In whole seconds, which take less memory than milliseconds. */
  readonly created: number;
  readonly updated: number;
  /** Who works on it; empty if nobody does, or the list was loaded without it. */
  readonly assignee: string;
};

/** Interns a text: there are few statuses, severities and categories, and many rows. */
const words = new Map<string, string>();
function interned<Word extends string>(word: Word): Word {
  const known = words.get(word) as Word | undefined;
  if (known === undefined) words.set(word, word);
  return known ?? word;
}

/** Returns what the list keeps of an issue. */
export function toIssueRow(issue: Issue): IssueRow {
  const { id, title, category, severity, status, created_at, updated_at, assignee } = issue;
  return {
    id,
    title,
    category: interned(category),
    severity: interned(severity),
    status: interned(status),
    created: Math.floor(Date.parse(created_at) / 1000),
    updated: Math.floor(Date.parse(updated_at) / 1000),
    assignee: interned(assignee?.username ?? ''),
  };
}

/** Draws an issue that nobody has to work on quietly, however severe it was. */
const unlessSettled =
  (paint: Paint) =>
  ({ status }: IssueRow): Paint =>
    status === 'Resolved' || status === 'Closed' ? theme.quiet : paint;
const asIs: Paint = (text) => text;

/**
 * Returns the columns of the list, in the order of the names.
 *
 * @param digits - the length of the longest id
 */
export function issueTableColumns(
  names: readonly string[],
  now: number,
  digits: number,
): readonly TableColumn<IssueRow>[] {
  const columns: Readonly<Record<string, TableColumn<IssueRow>>> = {
    id: {
      heading: 'id',
      value: ({ id }) => String(id),
      width: Math.max(4, digits),
      align: 'right',
      paint: () => theme.quiet,
    },
    title: { heading: 'title', value: ({ title }) => title, width: 'rest', paint: unlessSettled(asIs) },
    severity: {
      heading: 'severity',
      value: ({ severity }) => severity,
      width: 10,
      dropAs: 1,
      paint: (row) => unlessSettled(severityPaint(row.severity))(row),
    },
    status: {
      heading: 'status',
      value: ({ status }) => status,
      width: 11,
      paint: (row) => unlessSettled(statusPaint(row.status))(row),
    },
    category: {
      heading: 'category',
      value: ({ category }) => category,
      width: 14,
      dropAs: 4,
      paint: unlessSettled(asIs),
    },
    assignee: { heading: 'assignee', value: ({ assignee }) => assignee, width: 14, dropAs: 3 },
    created: ageColumn(({ created }) => created * 1000, now, { heading: 'created', width: 9, dropAs: 2 }),
    updated: ageColumn(({ updated }) => updated * 1000, now, { heading: 'updated', width: 9, dropAs: 5 }),
  };
  return names.flatMap((name) => columns[name] ?? []);
}
