import type { z } from 'zod';
import type { EventType } from '../vocabulary.ts';
import { accessEvents } from './access.ts';
import { adminEvents } from './admins.ts';
import { auditEvents } from './audit.ts';
import { commentEvents } from './comments.ts';
import { conversationEvents } from './conversations.ts';
import { factorEvents } from './factors.ts';
import { issueEvents } from './issues.ts';
import { linkEvents } from './links.ts';
import { messageEvents } from './messages.ts';
import { savedReplyEvents } from './saved-replies.ts';
import { scrapingRunEvents } from './scraping-runs.ts';
import { secretEvents } from './secrets.ts';
import { settingEvents } from './settings.ts';
import { tokenUsageEvents } from './token-usage.ts';
import { visitorEvents } from './visitors.ts';
import { webhookEvents } from './webhooks.ts';

/** The schema of `data` for each event type. Texts in it are cut at 200 characters, so a schema must allow that. */
export const eventDataSchemas = {
  ...issueEvents,
  ...conversationEvents,
  ...messageEvents,
  ...linkEvents,
  ...commentEvents,
  ...savedReplyEvents,
  ...settingEvents,
  ...adminEvents,
  ...accessEvents,
  ...factorEvents,
  ...tokenUsageEvents,
  ...scrapingRunEvents,
  ...webhookEvents,
  ...auditEvents,
  ...secretEvents,
  ...visitorEvents,
} as const satisfies Record<EventType, z.ZodObject>;

/** The `data` of an event of that type. */
export type EventData<Type extends EventType> = z.output<(typeof eventDataSchemas)[Type]>;
