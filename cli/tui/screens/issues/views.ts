import { savedViewSchema, type ViewKind } from '../views/saved-view.ts';
import { issueSorting } from './sort.ts';

/** The columns that the list of issues can have, in their order. */
const columns = ['id', 'title', 'severity', 'status', 'category', 'assignee', 'created', 'updated'];

/** The views of the issues. */
export const issueViews: ViewKind = {
  rows: 'issues',
  columns,
  defaultColumns: columns.filter((name) => name !== 'assignee' && name !== 'updated'),
  sorting: issueSorting,
  builtIn: { Unsettled: { filter: 'status:open,inprogress' }, All: {} },
  stored: { views: 'views', first: 'defaultView' },
};

export const savedIssueView = savedViewSchema(issueViews);
