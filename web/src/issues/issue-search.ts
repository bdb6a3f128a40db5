import { issueSorts } from '../../../src/contract/fields/sorts.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { issueStatuses, sortsOf } from '../../../src/contract/vocabulary.ts';
import { numberOf, type RawSearch, textOf, timeOf, wordOf, wordsOf } from '../app/search-params.ts';

const sorts = sortsOf(issueSorts);

/** What the drawer shows below an issue. */
export const issueTabs = ['comments', 'history', 'links'] as const;

export type IssueTab = (typeof issueTabs)[number];

/** What the issues page shows, as its address says. */
export interface IssueSearch {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly severity?: string | undefined;
  readonly category?: string | undefined;
  /** `me`, `none`, or the id of an admin. */
  readonly assignee?: string | undefined;
  /** Only issues reported at or after this time. */
  readonly since?: string | undefined;
  /** Only issues reported before this time. */
  readonly until?: string | undefined;
  readonly sort?: (typeof sorts)[number] | undefined;
  /** The issue in the drawer. */
  readonly issue?: number | undefined;
  readonly tab?: IssueTab | undefined;
  /** Whether the issue is edited. */
  readonly edit?: 'true' | undefined;
  /** Whether the dialog to report an issue is open. */
  readonly report?: 'true' | undefined;
}

/** Reads the address of the issues page, and ignores what is no filter. */
export function issueSearch(search: RawSearch): IssueSearch {
  return {
    q: textOf(search.q),
    status: wordsOf(issueStatuses, search.status),
    severity: textOf(search.severity),
    category: textOf(search.category),
    assignee: textOf(search.assignee),
    since: timeOf(search.since),
    until: timeOf(search.until),
    sort: wordOf(sorts, search.sort),
    issue: numberOf(search.issue),
    tab: wordOf(issueTabs, search.tab),
    edit: wordOf(['true'], search.edit),
    report: wordOf(['true'], search.report),
  };
}

/** The filter of the list, without what only the page needs. */
export type IssueFilter = Pick<
  InputOf<'issues.list'>,
  'q' | 'status' | 'severity' | 'category' | 'assignee' | 'since' | 'until' | 'sort'
>;

/** Returns the filter of an address. */
export function filterOf({
  issue: _issue,
  tab: _tab,
  edit: _edit,
  report: _report,
  ...filter
}: IssueSearch): IssueFilter {
  return filter;
}

/** What shows the list alone: no drawer and no dialog. */
export const listOnly = { issue: undefined, tab: undefined, edit: undefined, report: undefined } as const;
