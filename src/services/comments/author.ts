import type { CommentAuthor, StoredComment } from '../../db/tables/comments.ts';
import type { Actor } from '../call/actor.ts';

/** Returns the author of a comment that the actor writes. */
export function authorOf({ kind, id, name, admin }: Actor): CommentAuthor {
  return { kind, id, name, username: admin?.username ?? null };
}

/** Reports whether the actor wrote the comment. Operators have no id, so their names tell them apart. */
export function isAuthor({ kind, id, name }: Actor, comment: StoredComment): boolean {
  if (kind !== comment.author_kind || id !== comment.author_id) return false;
  return id !== null || name === comment.author_name;
}

/** Reports whether the actor may delete the comment. */
export function mayDelete(actor: Actor, comment: StoredComment): boolean {
  return actor.role !== 'user' || isAuthor(actor, comment);
}
