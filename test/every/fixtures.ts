import type { Fixtures } from './fixture.ts';
import { accountFixtures } from './fixtures/accounts.ts';
import { conversationFixtures } from './fixtures/conversations.ts';
import { issueFixtures } from './fixtures/issues.ts';
import { settingFixtures } from './fixtures/settings.ts';
import { webhookFixtures } from './fixtures/webhooks.ts';

/** The fixture of each operation of the registry. */
export const fixtures: Fixtures = {
  ...issueFixtures,
  ...conversationFixtures,
  ...settingFixtures,
  ...accountFixtures,
  ...webhookFixtures,
};
