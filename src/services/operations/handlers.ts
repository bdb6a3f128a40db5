import type { AnyOperation, OperationId, OutputOf, ParsedInputOf } from '../../contract/registry.ts';
import { showIssueTrend } from '../analytics/issue-trend.ts';
import type { Context } from '../call/context.ts';
import type { EventFeed } from '../events/feed.ts';
import type { StreamedJson } from '../streaming/streamed-json.ts';
import { changeAdminActivity, createAdmin, deleteAdmin, listAdmins, updateAdmin } from './admins.ts';
import { listAudit } from './audit.ts';
import {
  changeConversationStatus,
  createConversation,
  deleteConversation,
  listConversations,
  readConversation,
} from './conversations.ts';
import { followEvents } from './events.ts';
import { changeIssueStatus, createIssue, listIssues } from './issues.ts';
import { createLink, deleteLink, listLinks } from './links.ts';
import { createMessage, listMessages, updateDraft } from './messages.ts';
import { listScrapingRuns, recordScrapingRuns } from './scraping-runs.ts';
import { createSession, deleteSession, showSession } from './session.ts';
import { listSessions, revokeSession } from './sessions.ts';
import { deleteSetting, showSettings, updateSettings } from './settings.ts';
import { recordTokenUsage } from './token-usage.ts';
import { listDeliveries, replayWebhook, testWebhook } from './webhook-log.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

type Handlers = {
  readonly [Id in OperationId]: (
    context: Context,
    input: ParsedInputOf<Id>,
  ) => Promise<OutputOf<Id> | StreamedJson | EventFeed>;
};

/** What each operation does. A new operation does not compile until it has its line here. */
const handlers: Handlers = {
  'issues.list': listIssues,
  'issues.trend': showIssueTrend,
  'issues.create': createIssue,
  'issues.changeStatus': changeIssueStatus,
  'conversations.list': listConversations,
  'conversations.create': createConversation,
  'conversations.changeStatus': changeConversationStatus,
  'conversations.delete': deleteConversation,
  'conversations.read': readConversation,
  'messages.list': listMessages,
  'messages.create': createMessage,
  'messages.updateDraft': updateDraft,
  'links.list': listLinks,
  'links.create': createLink,
  'links.delete': deleteLink,
  'settings.show': showSettings,
  'settings.update': updateSettings,
  'settings.delete': deleteSetting,
  'tokenUsage.record': recordTokenUsage,
  'scrapingRuns.list': listScrapingRuns,
  'scrapingRuns.record': recordScrapingRuns,
  'admins.list': listAdmins,
  'admins.create': createAdmin,
  'admins.update': updateAdmin,
  'admins.delete': deleteAdmin,
  'admins.changeActivity': changeAdminActivity,
  'sessions.list': listSessions,
  'sessions.revoke': revokeSession,
  'audit.list': listAudit,
  'events.follow': followEvents,
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.update': updateWebhook,
  'webhooks.delete': deleteWebhook,
  'webhooks.test': testWebhook,
  'webhooks.deliveries': listDeliveries,
  'webhooks.replay': replayWebhook,
  'session.create': createSession,
  'session.show': showSession,
  'session.delete': deleteSession,
};

/** The handler of an operation. It takes what the operation's own schema has parsed. */
export function handlerOf(operation: AnyOperation): (context: Context, input: unknown) => Promise<unknown> {
  return handlers[operation.id] as (context: Context, input: unknown) => Promise<unknown>;
}
