import { z } from 'zod';
import { timestamp } from './fields.ts';

/** Who wrote a comment. It outlives the account: see the descriptions. */
const commentAuthorSchema = z
  .strictObject({
    id: z.string().nullable().meta({
      description: 'The id of the admin, also after its deletion; null for an API token or operator.',
    }),
    email: z
      .string()
      .nullable()
      .meta({
        description:
          "The admin's e-mail, or after its deletion the one it had when it wrote the comment; null for an API token or " +
          'operator.',
      }),
    username: z
      .string()
      .meta({ description: "The admin's name, likewise, or that of the token or operator." }),
  })
  .meta({ id: 'CommentAuthor' });

export const commentSchema = z
  .strictObject({
    id: z.int(),
    issue_id: z.int().nullable(),
    conversation_id: z.string().nullable(),
    author: commentAuthorSchema.nullable().meta({ description: 'Null if it is not known.' }),
    content: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Comment' });

export const exampleComment: z.infer<typeof commentSchema> = {
  id: 3,
  issue_id: 7,
  conversation_id: null,
  author: { id: 'admin_1769851800000_k3x9a2', email: 'grace@example.com', username: 'grace' },
  content: 'Only with Safari 17. I ask the payment provider.',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
