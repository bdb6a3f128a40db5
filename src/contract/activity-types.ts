import type { EventType } from './event-types.ts';
import type { EventOf } from './events/envelope.ts';

/** What people follow. Every role may know of it. What programs report every second would hide the rest. */
export const activityTypes = [
  'issue.created',
  'issue.updated',
  'issues.updated',
  'issues.deleted',
  'conversation.created',
  'conversation.updated',
  'conversations.updated',
  'message.created',
  'comment.created',
  'token_alert.raised',
] as const satisfies readonly EventType[];

export type ActivityEvent = EventOf<(typeof activityTypes)[number]>;
