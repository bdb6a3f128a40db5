import type { z } from 'zod';
import { adminOperations } from './operations/admins.ts';
import { auditOperations } from './operations/audit.ts';
import { changeOperations, issueChangeOperations } from './operations/changes.ts';
import { commentOperations } from './operations/comments.ts';
import { connectOperations } from './operations/connect.ts';
import { contactOperations } from './operations/contact.ts';
import { conversationOperations } from './operations/conversations.ts';
import { deviceOperations } from './operations/device.ts';
import { eventOperations } from './operations/events.ts';
import { exampleDataOperations } from './operations/example-data.ts';
import { factorOperations, factorsOfAdminOperations } from './operations/factors.ts';
import { invitationOperations } from './operations/invitations.ts';
import { issueOperations, issueTrendOperations } from './operations/issues.ts';
import { labelOperations } from './operations/labels.ts';
import { linkOperations } from './operations/links.ts';
import { mailOperations } from './operations/mail.ts';
import { messageOperations } from './operations/messages.ts';
import { passwordResetOperations } from './operations/password-reset.ts';
import { savedReplyOperations } from './operations/saved-replies.ts';
import { scrapingRunOperations } from './operations/scraping-runs.ts';
import { sessionOperations } from './operations/session.ts';
import { sessionsOperations } from './operations/sessions.ts';
import { settingOperations } from './operations/settings.ts';
import { tokenUsageOperations } from './operations/token-usage.ts';
import { tokenOperations } from './operations/tokens.ts';
import { viewOperations } from './operations/views.ts';
import { visitorOperations } from './operations/visitors.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { backgroundChanges } from './vocabulary.ts';

const beforeAudit = [
  ...issueOperations,
  ...issueChangeOperations,
  ...issueTrendOperations,
  ...conversationOperations,
  ...messageOperations,
  ...mailOperations,
  ...changeOperations,
  ...labelOperations,
  ...linkOperations,
  ...commentOperations,
  ...savedReplyOperations,
  ...viewOperations,
  ...settingOperations,
  ...exampleDataOperations,
  ...connectOperations,
  ...tokenUsageOperations,
  ...scrapingRunOperations,
  ...adminOperations,
  ...invitationOperations,
  ...sessionsOperations,
  ...tokenOperations,
  ...deviceOperations,
] as const;

const afterAudit = [
  ...contactOperations,
  ...visitorOperations,
  ...eventOperations,
  ...webhookOperations,
  ...factorOperations,
  ...factorsOfAdminOperations,
  ...sessionOperations,
  ...passwordResetOperations,
] as const;

/** The names that changes are recorded under. The audit trail reads changes and makes none. */
export const recordedNames: readonly string[] = [
  ...[...beforeAudit, ...afterAudit].filter(({ changes }) => changes !== undefined).map(({ id }) => id),
  ...backgroundChanges,
];

export const operations = [...beforeAudit, ...auditOperations(recordedNames), ...afterAudit] as const;

export type AnyOperation = (typeof operations)[number];
export type OperationId = AnyOperation['id'];
export type AnsweredId = Exclude<OperationId, 'events.follow' | 'messages.attachment' | 'messages.source'>;
/** The operations that answer a list, streamed or page by page. */
export type ListId = {
  [Id in OperationId]: [NonNullable<OperationOf<Id>['rows']>] extends [never] ? never : Id;
}[OperationId];
export type OperationOf<Id extends OperationId> = Extract<AnyOperation, { id: Id }>;

export type InputOf<Id extends OperationId> = z.input<OperationOf<Id>['input']>;
/** What a handler receives: validated, trimmed, with its defaults. */
export type ParsedInputOf<Id extends OperationId> = z.output<OperationOf<Id>['input']>;
export type OutputOf<Id extends OperationId> = DoneOf<Id> | PendingOf<Id>;
/** What a caller gets when the operation is done. */
export type DoneOf<Id extends OperationId> = z.output<OperationOf<Id>['output']>;
/** What a caller gets who has to do something first. */
export type PendingOf<Id extends OperationId> = z.output<NonNullable<OperationOf<Id>['pending']>>;

export type RowsField<Id extends ListId> = NonNullable<OperationOf<Id>['rows']>;

const byId: ReadonlyMap<string, AnyOperation> = new Map(
  operations.map((operation) => [operation.id, operation]),
);

export function operationOf<Id extends OperationId>(id: Id): OperationOf<Id> {
  return byId.get(id) as OperationOf<Id>;
}

export function rowsField<Id extends ListId>(id: Id): RowsField<Id> {
  return byId.get(id)?.rows as RowsField<Id>;
}
