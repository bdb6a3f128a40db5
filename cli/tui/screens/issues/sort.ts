import { issueStatuses, severities } from '../../../../src/contract/vocabulary.ts';
import { compareTexts, comparisonByRank, createSorting } from '../views/sorting.ts';
import type { IssueRow } from './row.ts';

/** The columns that issues can be sorted by: the worst, the unresolved and the newest first. */
export const issueSorting = createSorting<IssueRow>({
  created: { compare: (one, other) => other.created - one.created, isDescending: true },
  severity: { compare: comparisonByRank(severities, ({ severity }) => severity), isDescending: true },
  status: { compare: comparisonByRank(issueStatuses, ({ status }) => status) },
  category: { compare: (one, other) => compareTexts(one.category, other.category) },
  title: { compare: (one, other) => compareTexts(one.title, other.title) },
  id: { compare: (one, other) => other.id - one.id, isDescending: true },
  updated: { compare: (one, other) => other.updated - one.updated, isDescending: true },
  // Those that nobody works on come first.
  assignee: { compare: (one, other) => compareTexts(one.assignee, other.assignee) },
});
