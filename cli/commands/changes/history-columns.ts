import { timeColumn } from '../../output/rows/columns.ts';
import type { Column } from '../../output/table.ts';

/** What the history says of a changed field of any row. */
export interface HistoryEntry {
  readonly change_id: number;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly actor: string;
  readonly door: string;
  readonly at: string;
}

/** The columns of every history. */
export const historyColumns: readonly Column<HistoryEntry>[] = [
  { heading: 'change', field: 'change_id', value: ({ change_id }) => String(change_id), align: 'right' },
  { heading: 'field', value: ({ field }) => field },
  { heading: 'before', value: ({ before }) => before ?? '', cut: true },
  { heading: 'after', value: ({ after }) => after ?? '', cut: true },
  { heading: 'by', field: 'actor', value: ({ actor }) => actor, cut: true, dropAs: 2 },
  { heading: 'through', field: 'door', value: ({ door }) => door, dropAs: 1 },
  timeColumn('when', 'at'),
];
