import { commentSchema } from '../schemas/comments.ts';

const comment = commentSchema.pick({ issue_id: true, conversation_id: true, content: true });

export const commentEvents = {
  'comment.created': comment,
  'comment.updated': comment,
  'comment.deleted': comment,
} as const;
