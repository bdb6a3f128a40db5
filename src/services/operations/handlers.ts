import type { AnyOperation, OperationId } from '../../contract/registry.ts';
import type { Context } from '../call/context.ts';
import { adminsHandlers } from './admins.ts';
import { auditHandlers } from './audit.ts';
import { conversationsHandlers } from './conversations.ts';
import { eventsHandlers } from './events.ts';
import { issuesHandlers } from './issues.ts';
import { linksHandlers } from './links.ts';
import { messagesHandlers } from './messages.ts';
import { scrapingRunsHandlers } from './scraping-runs.ts';
import { sessionHandlers } from './session.ts';
import { sessionsHandlers } from './sessions.ts';
import { settingsHandlers } from './settings.ts';
import { tokenUsageHandlers } from './token-usage.ts';
import { webhooksHandlers } from './webhooks.ts';

const handlers = {
  ...issuesHandlers,
  ...conversationsHandlers,
  ...messagesHandlers,
  ...linksHandlers,
  ...settingsHandlers,
  ...tokenUsageHandlers,
  ...scrapingRunsHandlers,
  ...adminsHandlers,
  ...sessionsHandlers,
  ...auditHandlers,
  ...eventsHandlers,
  ...webhooksHandlers,
  ...sessionHandlers,
};

type MissingHandler = Exclude<OperationId, keyof typeof handlers>;
/** Does not compile while an operation of the registry has no handler. The error names the operation. */
true satisfies MissingHandler extends never ? true : `${MissingHandler} has no handler`;

/** Returns the handler of an operation. It takes what the operation's schema has parsed. */
export function handlerOf(operation: AnyOperation): (context: Context, input: unknown) => Promise<unknown> {
  const id = operation.id as keyof typeof handlers;
  return handlers[id] as (context: Context, input: unknown) => Promise<unknown>;
}
