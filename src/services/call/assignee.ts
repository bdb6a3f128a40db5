import { meWithoutAccount } from '../../contract/schemas/assignees.ts';
import type { Actor } from './actor.ts';
import { refuse } from './refuse.ts';

/**
 * Returns the assignee whose rows a list selects: null for rows that are not assigned, undefined for all rows.
 *
 * @param assignee - `me`, `none` or the id of an admin
 * @throws BackofficeError `invalid` if `me` has no account
 */
export function assigneeIdOf(assignee: string | undefined, { admin }: Actor): string | null | undefined {
  if (assignee === 'none') return null;
  return assignee === 'me' ? (admin?.id ?? refuse(meWithoutAccount)) : assignee;
}
