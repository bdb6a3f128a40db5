import { savedReplySchema } from '../schemas/saved-replies.ts';

const savedReply = savedReplySchema.omit({ id: true });

export const savedReplyEvents = {
  'saved_reply.created': savedReply,
  'saved_reply.updated': savedReply,
  'saved_reply.deleted': savedReply,
} as const;
