import { z } from 'zod';

/** A link has no id of its own, so its event is about the issue. */
const link = z.strictObject({
  issue_id: z.int(),
  conversation_id: z.string().optional().meta({ description: 'Present for a link to a conversation.' }),
  scraping_error_id: z.int().optional().meta({ description: 'Present for a link to a scraping error.' }),
});

export const linkEvents = { 'link.created': link, 'link.deleted': link } as const;
