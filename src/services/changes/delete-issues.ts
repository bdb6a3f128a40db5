import type { Database } from '../../db/connection/database.ts';
import { deleteIssueRows, lockIssuesToDelete } from '../../db/tables/issues.ts';
import { deleteLinksOfIssues } from '../../db/tables/links.ts';
import type { RecordChange } from '../call/changes.ts';
import { rowsOf, subjectOf } from './record.ts';

/** Deletes issues with everything that belongs to them. Returns how many it deleted. */
export async function deleteIssues(
  tx: Database,
  record: RecordChange,
  ids: readonly number[],
): Promise<number> {
  const existing = await lockIssuesToDelete(tx, ids);
  const count = existing.length;
  if (count === 0) return 0;
  // Before the triggers do, which lock the links in no order.
  const links = await deleteLinksOfIssues(tx, existing);
  await deleteIssueRows(tx, existing);
  record({
    event: 'issues.deleted',
    id: subjectOf(existing, count),
    before: { ...rowsOf(existing, count), links },
  });
  return count;
}
