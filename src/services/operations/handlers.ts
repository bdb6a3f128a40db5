import type { AnyOperation, OperationId } from '../../contract/registry.ts';
import { insertTokenUsage } from '../../db/tables/usage/token-usage.ts';
import { updateOrQueueTokenAlerts } from '../analytics/token-alerts.ts';
import { undoChange } from '../changes/undo.ts';
import type { Context } from '../context.ts';
import { eraseVisitor, exportVisitor } from '../visitors/visitors.ts';
import { adminHandlers } from './admins.ts';
import { auditHandlers } from './audit.ts';
import { commentHandlers } from './comments.ts';
import { connectHandlers } from './connect.ts';
import { contactHandlers } from './contact.ts';
import { conversationHandlers } from './conversations.ts';
import { deviceHandlers } from './device.ts';
import { eventHandlers } from './events.ts';
import { exampleDataHandlers } from './example-data.ts';
import { factorHandlers } from './factors.ts';
import type { HandlersOf } from './handler-types.ts';
import { invitationHandlers } from './invitations.ts';
import { issueHandlers } from './issues.ts';
import { labelHandlers } from './labels.ts';
import { linkHandlers } from './links.ts';
import { mailHandlers } from './mail.ts';
import { messageHandlers } from './messages.ts';
import { passwordResetHandlers } from './password-reset.ts';
import { savedReplyHandlers } from './saved-replies.ts';
import { scrapingRunHandlers } from './scraping-runs.ts';
import { sessionHandlers } from './session.ts';
import { sessionsHandlers } from './sessions.ts';
import { settingHandlers } from './settings.ts';
import { tokenHandlers } from './tokens.ts';
import { viewHandlers } from './views.ts';
import { webhookHandlers } from './webhooks.ts';

/** Those of nouns whose rules are elsewhere. */
const otherHandlers = {
  'changes.undo': ({ change, actor }, { change_id }) =>
    change((tx, record) => undoChange(tx, record, change_id, actor)),

  'tokenUsage.record': async ({ change }, records) => {
    // If several records have the same id, the first one counts, as if they had arrived one by one.
    const unique = new Map(records.toReversed().map((record) => [record.record_id, record]));
    const recorded = await change(async (tx, record) => {
      const added = await insertTokenUsage(tx, [...unique.values()]);
      if (added === 0) return 0;
      const after = { records: added, duplicates: records.length - added };
      record({ event: 'token_usage.recorded', id: null, after });
      await updateOrQueueTokenAlerts(tx, record);
      return added;
    });
    return { success: true, recorded, duplicates: records.length - recorded };
  },

  'visitors.export': async ({ db, publisher }, { email }) => {
    await publisher.catchUp();
    return exportVisitor(db, email);
  },

  'visitors.erase': async (context, { email }) => ({
    success: true,
    ...(await eraseVisitor(context, email)),
  }),
} satisfies HandlersOf<'changes' | 'tokenUsage' | 'visitors'>;

const handlers = {
  ...otherHandlers,
  ...savedReplyHandlers,
  ...issueHandlers,
  ...conversationHandlers,
  ...contactHandlers,
  ...mailHandlers,
  ...messageHandlers,
  ...labelHandlers,
  ...linkHandlers,
  ...commentHandlers,
  ...viewHandlers,
  ...settingHandlers,
  ...exampleDataHandlers,
  ...connectHandlers,
  ...scrapingRunHandlers,
  ...adminHandlers,
  ...invitationHandlers,
  ...sessionsHandlers,
  ...tokenHandlers,
  ...auditHandlers,
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
