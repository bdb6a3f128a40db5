import type { z } from 'zod';
import type { issueSchema } from '../../../../src/contract/schemas/issues.ts';
import { ageColumn } from '../../components/age-column.ts';
import type { TableColumn } from '../../components/table.tsx';
import { severityPaint, statusPaint, theme } from '../../theme.ts';

type Issue = z.infer<typeof issueSchema>;

/** An issue without its long texts, because a list may hold a hundred thousand. */
export type IssueRow = Pick<Issue, 'id' | 'title' | 'category' | 'severity' | 'status'> & {
  /** In whole seconds, which take less memory than milliseconds. */
  readonly created: number;
};

/** Interns a text: there are few statuses, severities and categories, and many rows. */
const words = new Map<string, string>();
function interned<Word extends string>(word: Word): Word {
  const known = words.get(word) as Word | undefined;
  if (known === undefined) words.set(word, word);
  return known ?? word;
}

/** Returns what the list keeps of an issue. */
export function toIssueRow({ id, title, category, severity, status, created_at }: Issue): IssueRow {
  return {
    id,
    title,
    category: interned(category),
    severity: interned(severity),
    status: interned(status),
    created: Math.floor(Date.parse(created_at) / 1000),
  };
}

/** @param digits - the length of the longest id */
export function issueTableColumns(now: number, digits: number): readonly TableColumn<IssueRow>[] {
  return [
    {
      heading: 'id',
      value: ({ id }) => String(id),
      width: Math.max(4, digits),
      align: 'right',
      paint: () => theme.quiet,
    },
    { heading: 'title', value: ({ title }) => title, width: 'rest' },
    {
      heading: 'severity',
      value: ({ severity }) => severity,
      width: 10,
      dropAs: 1,
      paint: ({ severity }) => severityPaint(severity),
    },
    {
      heading: 'status',
      value: ({ status }) => status,
      width: 11,
      paint: ({ status }) => statusPaint(status),
    },
    { heading: 'category', value: ({ category }) => category, width: 14, dropAs: 3 },
    ageColumn(({ created }) => created * 1000, now, { heading: 'created', width: 9, dropAs: 2 }),
  ];
}
