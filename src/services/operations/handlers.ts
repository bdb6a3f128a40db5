import type { AnyOperation, OperationId } from '../../contract/registry.ts';
import type { Context } from '../context.ts';
import { adminHandlers } from './admins.ts';
import { auditHandlers } from './audit.ts';
import { changeHandlers } from './changes.ts';
import { commentHandlers } from './comments.ts';
import { conversationHandlers } from './conversations.ts';
import { deviceHandlers } from './device.ts';
import { eventHandlers } from './events.ts';
import { factorHandlers } from './factors.ts';
import { invitationHandlers } from './invitations.ts';
import { issueHandlers } from './issues.ts';
import { labelHandlers } from './labels.ts';
import { linkHandlers } from './links.ts';
import { messageHandlers } from './messages.ts';
import { passwordResetHandlers } from './password-reset.ts';
import { savedReplyHandlers } from './saved-replies.ts';
import { scrapingRunHandlers } from './scraping-runs.ts';
import { sessionHandlers } from './session.ts';
import { sessionsHandlers } from './sessions.ts';
import { settingHandlers } from './settings.ts';
import { tokenUsageHandlers } from './token-usage.ts';
import { tokenHandlers } from './tokens.ts';
import { visitorHandlers } from './visitors.ts';
import { webhookHandlers } from './webhooks.ts';

const handlers = {
  ...issueHandlers,
  ...conversationHandlers,
  ...messageHandlers,
  ...changeHandlers,
  ...labelHandlers,
  ...linkHandlers,
  ...commentHandlers,
  ...savedReplyHandlers,
  ...settingHandlers,
  ...tokenUsageHandlers,
  ...scrapingRunHandlers,
  ...adminHandlers,
  ...invitationHandlers,
  ...sessionsHandlers,
  ...tokenHandlers,
  ...auditHandlers,
  ...visitorHandlers,
  ...eventHandlers,
  ...webhookHandlers,
  ...factorHandlers,
  ...sessionHandlers,
  ...passwordResetHandlers,
  ...deviceHandlers,
};

type MissingHandler = Exclude<OperationId, keyof typeof handlers>;
/** Does not compile while an operation of the registry has no handler. The error names the operation. */
true satisfies MissingHandler extends never ? true : `${MissingHandler} has no handler`;

/** Returns the handler of an operation. It takes what the operation's schema has parsed. */
export function handlerOf(operation: AnyOperation): (context: Context, input: unknown) => Promise<unknown> {
  const handle = handlers[operation.id] as (context: Context, input: unknown) => Promise<unknown>;
  return async (context, input) => (await handle(context, input)) ?? { success: true };
}
