import { checkIssueCounters, hasMoreIssuesThan } from '../../src/db/analytics/issue-counters.ts';
import { checkTokenUsageSums, hasMoreTokenUsageThan } from '../../src/db/analytics/token-usage-sums.ts';
import type { Database } from '../../src/db/connection/database.ts';
import {
  checkConversationPreviews,
  hasMoreConversationsThan,
} from '../../src/db/tables/conversations/conversations.ts';
import { counted } from '../output/number.ts';
import { type Finding, failed, ok } from './finding.ts';

/** Up to this many rows, counting all of them again takes no longer than the other checks. */
const maxRowsToCount = 100_000;

/** Data that is kept beside the rows that it can be computed from. */
interface DerivedData {
  /** What one of it is called, and the rows. */
  readonly noun: string;
  readonly rows: string;
  readonly hasMoreRowsThan: (db: Database, count: number) => Promise<boolean>;
  readonly findWrong: (db: Database) => Promise<readonly unknown[]>;
  /** The command that computes it again; with `--check` it only compares. */
  readonly command: string;
}

const derivedData: Readonly<Record<string, DerivedData>> = {
  'issue counts': {
    noun: 'count',
    rows: 'issues',
    hasMoreRowsThan: hasMoreIssuesThan,
    findWrong: checkIssueCounters,
    command: 'backoffice recompute issues',
  },
  'token usage sums': {
    noun: 'sum',
    rows: 'records',
    hasMoreRowsThan: hasMoreTokenUsageThan,
    findWrong: checkTokenUsageSums,
    command: 'backoffice recompute usage',
  },
  'conversation previews': {
    noun: 'preview',
    rows: 'conversations',
    hasMoreRowsThan: hasMoreConversationsThan,
    findWrong: checkConversationPreviews,
    command: 'backoffice recompute conversations',
  },
};

/** The checks that data is what its rows say, unless there are too many to compute it again. */
export const derivedDataChecks = Object.entries(derivedData).map(
  ([check, data]) => [check, (db: Database) => checkDerived(check, data, db)] as const,
);

async function checkDerived(
  check: string,
  { noun, rows, hasMoreRowsThan, findWrong, command }: DerivedData,
  db: Database,
): Promise<Finding> {
  if (await hasMoreRowsThan(db, maxRowsToCount))
    return ok(check, `not checked: too many ${rows}. Run \`${command} --check\`.`);
  const { length } = await findWrong(db);
  if (length === 0) return ok(check, `all ${noun}s are correct`);
  return failed(check, counted(length, `${noun} is wrong`, `${noun}s are wrong`), `Run \`${command}\`.`);
}
