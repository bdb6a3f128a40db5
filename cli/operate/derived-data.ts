import {
  checkIssueCounters,
  hasMoreIssuesThan,
  rebuildIssueCounters,
} from '../../src/db/analytics/issue-counters.ts';
import { checkTokenUsageSums, hasMoreTokenUsageThan } from '../../src/db/analytics/token-usage-sums.ts';
import type { Database } from '../../src/db/connection/database.ts';
import type { Databases } from '../../src/db/replica/databases.ts';
import {
  checkConversationPreviews,
  hasMoreConversationsThan,
  rebuildConversationPreviews,
} from '../../src/db/tables/conversations/conversations.ts';
import { recomputeTokenUsage } from '../../src/services/analytics/sections.ts';
import type { derivedNames } from './recompute.ts';

/** Data that is kept beside the rows from which it can be computed. */
export interface Derived {
  /** What one of it is called. */
  readonly one: string;
  readonly rows: string;
  hasMoreRowsThan(db: Database, count: number): Promise<boolean>;
  /** Returns what differs from the rows. */
  check(db: Database): Promise<readonly object[]>;
  rebuild(services: { readonly databases: Databases }): Promise<unknown>;
}

export const derivedData: Readonly<Record<(typeof derivedNames)[number], Derived>> = {
  issues: {
    one: 'issue count',
    rows: 'issues',
    hasMoreRowsThan: hasMoreIssuesThan,
    check: checkIssueCounters,
    rebuild: ({ databases }) => rebuildIssueCounters(databases.primary),
  },
  conversations: {
    one: 'conversation preview',
    rows: 'conversations',
    hasMoreRowsThan: hasMoreConversationsThan,
    check: checkConversationPreviews,
    rebuild: ({ databases }) => rebuildConversationPreviews(databases.primary),
  },
  usage: {
    one: 'token usage sum',
    rows: 'records',
    hasMoreRowsThan: hasMoreTokenUsageThan,
    check: checkTokenUsageSums,
    rebuild: recomputeTokenUsage,
  },
};
