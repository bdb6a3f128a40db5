import type { z } from 'zod';
import type { EventType } from '../vocabulary.ts';
import { accessEvents, adminEvents, factorEvents } from './accounts.ts';
import { conversationEvents, messageEvents, savedReplyEvents, visitorEvents } from './conversations.ts';
import { commentEvents, issueEvents, labelEvents, linkEvents } from './issues.ts';
import {
  auditEvents,
  scrapingRunEvents,
  secretEvents,
  settingEvents,
  tokenUsageEvents,
  webhookEvents,
} from './service.ts';

/** The schema of `data` for each event type. Texts in it are cut at 200 characters, so a schema must allow that. */
export const eventDataSchemas = {
  ...issueEvents,
  ...conversationEvents,
  ...messageEvents,
  ...labelEvents,
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
