import type { Access } from '../../access/access.ts';
import { NotFoundError } from '../../errors.ts';
import type { ListedComment } from '../../output/comments.ts';

/**
 * Finds a comment by its number.
 *
 * @throws NotFoundError if there is none
 */
export async function findComment(access: Access, id: number): Promise<ListedComment> {
  const { comments } = await access.call('comments.list', { id });
  const [comment] = comments;
  if (comment === undefined)
    throw new NotFoundError(
      `No comment ${id}. Run \`backoffice comments list --issue <number>\` to see those on an issue.`,
    );
  return comment;
}
