import { BackofficeError } from '../contract/errors.ts';
import {
  hasContent,
  insertSeedConversations,
  insertSeedIssues,
  insertSeedRuns,
  insertSeedUsage,
} from '../db/seed.ts';
import { upsertSettings } from '../db/settings.ts';
import type { Services } from './context.ts';
import { seedConversations, seedIssues, seedRuns, seedUsage } from './seed-data.ts';

const settings = [
  { key: 'site_name', value: 'Example' },
  { key: 'contact_email', value: 'hello@example.com' },
  { key: 'timezone', value: 'UTC' },
];

/**
 * Fills an empty database with data to look at, all of it or nothing.
 *
 * @returns how much of what was made
 * @throws BackofficeError `conflict` when there is content already
 */
export async function seed({ databases }: Services): Promise<Readonly<Record<string, number>>> {
  if (await hasContent(databases.primary)) {
    throw new BackofficeError({
      code: 'conflict',
      text: 'The database has issues or conversations already: seed fills an empty one only.',
    });
  }
  const issues = seedIssues();
  const { conversations, messages } = seedConversations();
  const usage = seedUsage();
  const runs = seedRuns();
  await databases.primary.transaction(async (tx) => {
    await insertSeedIssues(tx, issues);
    await insertSeedConversations(tx, conversations, messages);
    await insertSeedUsage(tx, usage);
    await insertSeedRuns(tx, runs);
    await upsertSettings(tx, settings);
  });
  return {
    issues: issues.length,
    conversations: conversations.length,
    messages: messages.length,
    settings: settings.length,
    'token-usage records': usage.length,
    'scraping runs': runs.length,
  };
}
