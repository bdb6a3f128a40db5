import type { SelectionState } from '../rows/selection.ts';
import { type ArrangedState, arrangedBy } from '../views/arranged-list.ts';
import { allRows } from '../views/parts.ts';
import type { View } from '../views/saved-view.ts';
import type { IssueDetail } from './detail.ts';
import { parseIssueFilter, type UsedWords } from './filter.ts';

export interface IssuesState extends ArrangedState, SelectionState<number> {
  /** The number of issues by status, or null before it is loaded. */
  readonly counts: ReadonlyMap<string, number> | null;
  readonly total: number;
  /** The number of issues reported on each of the last days, or null before it is loaded. */
  readonly trend: readonly number[] | null;
  /** The words that issues have, or null before they are loaded. */
  readonly used: UsedWords | null;
  readonly detail: IssueDetail | null;
  readonly isOpen: boolean;
}

export function startState(saved: View): IssuesState {
  return {
    ...arrangedBy(saved),
    selected: new Set(),
    isRange: false,
    counts: null,
    total: 0,
    trend: null,
    used: null,
    detail: null,
    isOpen: false,
  };
}

/** Returns how many issues a part has, if that is known. */
export function countOf({ saved, counts, total }: IssuesState, part: string | null): number | undefined {
  if (counts === null) return undefined;
  if (part === allRows || (part === null && saved.filter === '')) return total;
  if (part !== null) return counts.get(part) ?? 0;
  const { search, problem } = parseIssueFilter(saved.filter, null);
  const { status, ...others } = search;
  if (status === undefined || problem !== undefined || Object.keys(others).length > 0) return undefined;
  return status.split(',').reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
}
