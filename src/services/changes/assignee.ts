import { unknownAssignee } from '../../contract/schemas/assignees.ts';
import { refuse } from '../call/refuse.ts';

/**
 * Refuses to assign rows to an admin who does not exist or is not active.
 *
 * @param assigneeId - null or undefined if the change assigns to nobody
 * @param isActive - reports whether the admin is active
 */
export async function requireAssignee(
  assigneeId: string | null | undefined,
  isActive: (id: string) => Promise<boolean>,
): Promise<void> {
  if (typeof assigneeId === 'string' && !(await isActive(assigneeId))) refuse(unknownAssignee);
}
