import type { ThreadMessage } from '../../../access/thread.ts';
import type { App } from '../../app/app.ts';

const pageMessages = 50;

/** Reads a page of messages with all that a thread shows of them. */
export const readMessages = (app: Pick<App, 'call'>, conversation_id: string, cursor?: string) =>
  app.call('messages.list', {
    ...{ conversation_id, limit: pageMessages, include: 'assignee,labels,channel,delivery,attachments' },
    ...(cursor === undefined ? {} : { cursor }),
  });

/** Returns the messages with a draft that was neither sent nor rejected, oldest first. */
export function waitingDrafts(messages: readonly ThreadMessage[]): readonly ThreadMessage[] {
  const sent = new Set(messages.map(({ from_draft_of }) => from_draft_of));
  return messages.filter(({ id, ai_draft }) => ai_draft !== null && !sent.has(id));
}

/** Returns the latest reply whose mail has failed, which can be sent again. */
export const lastFailed = (messages: readonly ThreadMessage[]): ThreadMessage | undefined =>
  messages.findLast(({ delivery }) => delivery?.state === 'failed');
