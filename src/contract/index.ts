import type { z } from 'zod';
import { changeAdminActivity, createAdmin, deleteAdmin, listAdmins, updateAdmin } from './admins.ts';
import { listAudit } from './audit.ts';
import { createConversation, listConversations } from './conversations.ts';
import { changeIssueStatus, createIssue, listIssues } from './issues.ts';
import { createSession, deleteSession, showSession } from './session.ts';
import { listSessions, revokeSession } from './sessions.ts';
import { deleteSetting, showSettings, updateSettings } from './settings.ts';

/** Every operation of the service, in the order of its documentation. */
export const operations = [
  listIssues,
  createIssue,
  changeIssueStatus,
  listConversations,
  createConversation,
  showSettings,
  updateSettings,
  deleteSetting,
  listAdmins,
  createAdmin,
  updateAdmin,
  deleteAdmin,
  changeAdminActivity,
  listSessions,
  revokeSession,
  listAudit,
  createSession,
  showSession,
  deleteSession,
] as const;

export type AnyOperation = (typeof operations)[number];
export type OperationId = AnyOperation['id'];
export type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

/** What a caller sends. */
export type InputOf<Id extends OperationId> = z.input<OperationOf<Id>['input']>;
/** What a handler receives: validated, trimmed, with its defaults. */
export type ParsedInputOf<Id extends OperationId> = z.output<OperationOf<Id>['input']>;
/** What a caller gets. */
export type OutputOf<Id extends OperationId> = z.output<OperationOf<Id>['output']>;

const byId: ReadonlyMap<string, AnyOperation> = new Map(
  operations.map((operation) => [operation.id, operation]),
);

/** The operation of that id. */
export function operationOf<Id extends OperationId>(id: Id): OperationOf<Id> {
  return byId.get(id) as OperationOf<Id>;
}
