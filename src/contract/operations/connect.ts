import { z } from 'zod';
import type { CardId } from '../connect.ts';
import { anySession, defineOperation } from '../operation.ts';

/** Which cards are connected. */
export const connected = z.strictObject({
  contact: z.boolean().describe('A message from the contact page, or from a form of the website.'),
  mail: z.boolean().describe('A mail of a visitor.'),
  issues: z.boolean().describe('An issue.'),
  usage: z.boolean().describe('A record of the token usage.'),
  scraping: z.boolean().describe('A scraping run.'),
}) satisfies z.ZodType<Record<CardId, boolean>>;

export const connectOperations = [
  /** Beyond the contract. */
  defineOperation('GET', '/api/admin/connect', anySession, {
    id: 'connect.show',
    summary: 'Show what the website has sent so far',
    description:
      'Whether the first record of each kind has come in. Example data of `backoffice seed` does not count.',
    input: z.object({}),
    output: z.strictObject({
      connected,
      contact_page: z.boolean().describe('Whether the setting `contact_page` is `1`.'),
      mailbox: z
        .boolean()
        .describe('Whether the service reads the mailbox in `IMAP_URL`, so that mails come in.'),
    }),
    failure: 'Failed to load what is connected.',
    example: {
      output: {
        connected: { contact: true, mail: false, issues: true, usage: false, scraping: false },
        contact_page: true,
        mailbox: false,
      },
    },
  }),
] as const;
