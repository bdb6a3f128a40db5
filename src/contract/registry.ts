import type { z } from 'zod';
import {
  changeAdminActivity,
  createAdmin,
  deleteAdmin,
  listAdmins,
  updateAdmin,
} from './operations/admins.ts';
import { listAudit } from './operations/audit.ts';
import {
  changeConversationStatus,
  createConversation,
  deleteConversation,
  listConversations,
  readConversation,
} from './operations/conversations.ts';
import { followEvents } from './operations/events.ts';
import { showIssueTrend } from './operations/issue-trend.ts';
import { changeIssueStatus, createIssue, listIssues } from './operations/issues.ts';
import { createLink, deleteLink, listLinks } from './operations/links.ts';
import { createMessage, listMessages, updateDraft } from './operations/messages.ts';
import { listScrapingRuns, recordScrapingRuns } from './operations/scraping-runs.ts';
import { createSession, deleteSession, showSession } from './operations/session.ts';
import { listSessions, revokeSession } from './operations/sessions.ts';
import { deleteSetting, showSettings, updateSettings } from './operations/settings.ts';
import { recordTokenUsage } from './operations/token-usage.ts';
import { listDeliveries, replayWebhook, testWebhook } from './operations/webhook-deliveries.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './operations/webhooks.ts';

/** Every operation of the service, in the order of its documentation. */
export const operations = [
  listIssues,
  createIssue,
  changeIssueStatus,
  showIssueTrend,
  listConversations,
  createConversation,
  changeConversationStatus,
  deleteConversation,
  readConversation,
  listMessages,
  createMessage,
  updateDraft,
  listLinks,
  createLink,
  deleteLink,
  showSettings,
  updateSettings,
  deleteSetting,
  recordTokenUsage,
  listScrapingRuns,
  recordScrapingRuns,
  listAdmins,
  createAdmin,
  updateAdmin,
  deleteAdmin,
  changeAdminActivity,
  listSessions,
  revokeSession,
  listAudit,
  followEvents,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  listDeliveries,
  replayWebhook,
  createSession,
  showSession,
  deleteSession,
] as const;

export type AnyOperation = (typeof operations)[number];
export type OperationId = AnyOperation['id'];
/** The operations whose answer is one document. */
export type AnsweredId = Exclude<OperationId, (typeof followEvents)['id']>;
/** The operations that answer a list, streamed or page by page. */
export type ListId = {
  [Id in OperationId]: [NonNullable<OperationOf<Id>['rows']>] extends [never] ? never : Id;
}[OperationId];
export type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

/** What a caller sends. */
export type InputOf<Id extends OperationId> = z.input<OperationOf<Id>['input']>;
/** What a handler receives: validated, trimmed, with its defaults. */
export type ParsedInputOf<Id extends OperationId> = z.output<OperationOf<Id>['input']>;
/** What a caller gets. */
export type OutputOf<Id extends OperationId> = z.output<OperationOf<Id>['output']>;

/** The field of a list's answer that holds its rows. */
export type RowsField<Id extends ListId> = NonNullable<OperationOf<Id>['rows']>;

const byId: ReadonlyMap<string, AnyOperation> = new Map(
  operations.map((operation) => [operation.id, operation]),
);

/** The operation of that id. */
export function operationOf<Id extends OperationId>(id: Id): OperationOf<Id> {
  return byId.get(id) as OperationOf<Id>;
}

/** Returns the name of the field of a list's answer that holds its rows. */
export function rowsField<Id extends ListId>(id: Id): RowsField<Id> {
  return byId.get(id)?.rows as RowsField<Id>;
}
