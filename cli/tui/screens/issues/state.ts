import { issueStatuses } from '../../../../src/contract/vocabulary.ts';
import type { IssueDetail } from './detail.ts';
import { parseIssueFilter, type UsedWords } from './filter.ts';
import type { ColumnName, IssueView } from './saved-view.ts';
import type { Sort } from './sort.ts';

export interface IssuesState {
  /** What was typed. It replaces the filter of the view. */
  readonly filter: string;
  /** The saved view that was chosen last. */
  readonly saved: IssueView;
  /** The part that is shown: a status, all issues, or null for what the view filters. */
  readonly part: string | null;
  readonly sort: Sort;
  readonly columns: readonly ColumnName[];
  readonly selected: ReadonlySet<number>;
  /** The cursor moves the end of a range of selected issues. */
  readonly isRange: boolean;
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

export function startState(saved: IssueView): IssuesState {
  return {
    filter: '',
    saved,
    part: null,
    sort: saved.sort,
    columns: saved.columns,
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

export const allIssues = 'All';

/** Returns the parts that can be shown: the view, all issues, and those of each status. */
export function partsOf({ saved }: Pick<IssuesState, 'saved'>): readonly (string | null)[] {
  return [null, ...(saved.filter === '' ? [] : [allIssues]), ...issueStatuses];
}

/** Returns the part that is really shown: what was typed replaces the filter of the view. */
export function shownPart({ filter, saved, part }: Pick<IssuesState, 'filter' | 'saved' | 'part'>) {
  return part === null && filter !== '' && saved.filter !== '' ? allIssues : part;
}

/** Returns the filter that applies, as it would be typed. */
export function effectiveFilter(state: Pick<IssuesState, 'filter' | 'saved' | 'part'>): string {
  const { filter, saved, part } = state;
  if (part === null) return filter === '' ? saved.filter : filter;
  if (part === allIssues) return filter;
  return `status:${part.toLowerCase().replaceAll(' ', '')} ${filter}`.trim();
}

/** Returns how many issues a part has, if that is known. */
export function countOf({ saved, counts, total }: IssuesState, part: string | null): number | undefined {
  if (counts === null) return undefined;
  if (part === allIssues || (part === null && saved.filter === '')) return total;
  if (part !== null) return counts.get(part) ?? 0;
  const { search, problem } = parseIssueFilter(saved.filter, null);
  const { status, ...others } = search;
  if (status === undefined || problem !== undefined || Object.keys(others).length > 0) return undefined;
  return status.split(',').reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
}
