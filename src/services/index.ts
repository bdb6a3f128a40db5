import type { AnyOperation, OperationId, OutputOf, ParsedInputOf } from '../contract/index.ts';
import { changeAdminActivity, createAdmin, deleteAdmin, listAdmins, updateAdmin } from './admins.ts';
import { listAudit } from './audit.ts';
import type { Context } from './context.ts';
import { createConversation, listConversations } from './conversations.ts';
import { changeIssueStatus, createIssue, listIssues } from './issues.ts';
import { createSession, deleteSession, showSession } from './session.ts';
import { listSessions, revokeSession } from './sessions.ts';
import { deleteSetting, showSettings, updateSettings } from './settings.ts';
import type { StreamedJson } from './streamed-json.ts';

type Handlers = {
  readonly [Id in OperationId]: (
    context: Context,
    input: ParsedInputOf<Id>,
  ) => Promise<OutputOf<Id> | StreamedJson>;
};

/** What each operation does. A new operation does not compile until it has its line here. */
const handlers: Handlers = {
  'issues.list': listIssues,
  'issues.create': createIssue,
  'issues.changeStatus': changeIssueStatus,
  'conversations.list': listConversations,
  'conversations.create': createConversation,
  'settings.show': showSettings,
  'settings.update': updateSettings,
  'settings.delete': deleteSetting,
  'admins.list': listAdmins,
  'admins.create': createAdmin,
  'admins.update': updateAdmin,
  'admins.delete': deleteAdmin,
  'admins.changeActivity': changeAdminActivity,
  'sessions.list': listSessions,
  'sessions.revoke': revokeSession,
  'audit.list': listAudit,
  'session.create': createSession,
  'session.show': showSession,
  'session.delete': deleteSession,
};

/** The handler of an operation. It takes what the operation's own schema has parsed. */
export function handlerOf(operation: AnyOperation): (context: Context, input: unknown) => Promise<unknown> {
  return handlers[operation.id] as (context: Context, input: unknown) => Promise<unknown>;
}
