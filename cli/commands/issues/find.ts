import type { Access } from '../../access/access.ts';
import type { Rows } from '../../access/pages.ts';
import { NotFoundError } from '../../errors.ts';

/** An issue, as `issues.list` returns it. */
export type ListedIssue = Rows['issues.list'];

/**
 * Finds an issue by its number.
 *
 * @param include - fields to add to it, such as `assignee,labels`
 * @throws NotFoundError if there is none
 */
export async function findIssue(access: Access, id: number, include?: string): Promise<ListedIssue> {
  const found = await access.call('issues.list', { id, limit: 1, include });
  const issue = 'issues' in found ? found.issues[0] : undefined;
  if (issue === undefined)
    throw new NotFoundError(`No issue ${id}. Run \`backoffice issues list\` to see all.`);
  return issue;
}
