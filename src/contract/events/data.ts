import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { deliveryStates } from '../deliveries.ts';
import type { EventType } from '../event-types.ts';
import { conversations } from '../fields/conversations.ts';
import { issues } from '../fields/issues.ts';
import { savedReplies } from '../fields/saved-replies.ts';
import { deliveryOutcomes, webhooks } from '../fields/webhooks.ts';
import { eventDataOf, eventSetOf } from '../of-noun.ts';
import { roleSchema } from '../operation.ts';
import { commentSchema } from '../operations/comments.ts';
import { maxEventIds } from '../schemas/changes/changes.ts';
import { factorTypes, signInMethods } from '../schemas/factors.ts';
import { count, timestamp } from '../schemas/fields.ts';
import { runStatuses, senderTypes } from '../vocabulary.ts';

const bulkFields = <Id extends z.ZodType>(id: Id) => ({
  ids: z
    .array(id)
    .max(maxEventIds)
    .describe(`The first ${groupDigits(maxEventIds)} ids.`),
  count: count.describe('How many rows it is, all ids together.'),
});

/** The data of an event of a change that can be undone, or of an undo. */
const changeFields = <Id extends z.ZodType, Set extends z.ZodType>(id: Id, set: Set) => ({
  change_id: z.int(),
  ...bulkFields(id),
  set: set.optional().describe('What the change set. Absent if it undoes another.'),
  undoes: z.int().optional().describe('The `change_id` of the change that it undoes.'),
});

const label = z.strictObject({ name: z.string() });

/** A link has no id of its own, so its event is about the issue. */
const link = z.strictObject({
  issue_id: z.int(),
  conversation_id: z.string().optional().describe('Present for a link to a conversation.'),
  scraping_error_id: z.int().optional().describe('Present for a link to a scraping error.'),
});

const comment = commentSchema.pick({ issue_id: true, conversation_id: true, content: true });

const conversation = eventDataOf(conversations);
const set = eventSetOf(conversations);

const message = {
  conversation_id: z.string(),
  sender_type: z.enum(senderTypes),
  // Not an enum: an operator may write other statuses by SQL.
  status: z.string(),
};

const savedReply = eventDataOf(savedReplies);

/** Views are somebody's own, so no event has their names. */
const view = z.strictObject({ list: z.string() });

const session = z.strictObject({ admin_id: z.string() });
const token = z.strictObject({ name: z.string(), role: roleSchema });

const invitation = z.strictObject({ email: z.string(), role: roleSchema });

const admin = z.strictObject({
  email: z.string(),
  username: z.string(),
  role: roleSchema,
  is_active: z.int(),
});

const factor = z.strictObject({ admin_id: z.string(), type: z.enum(factorTypes), name: z.string() });
const codes = z.strictObject({
  admin_id: z.string(),
  left: count.describe('How many recovery codes the account has now.'),
});

const setting = z.strictObject({
  is_set: z.literal(true).describe('Stands for the value, which only the audit trail has.'),
});

const batch = z.strictObject({
  keys: z
    .array(z.string())
    .max(maxEventIds)
    .describe(`The first ${groupDigits(maxEventIds)} keys. Only the audit trail has the values.`),
  count: count.describe('How many settings it is, all keys together.'),
});

const alert = z.strictObject({
  metric: z.string(),
  model: z.string().nullable().describe('Null means all models together.'),
  period: z.string().describe('The month, such as `2026-01`.'),
  threshold: z.number().describe('The share of the limit that was reached.'),
  limit: z.string().describe('The budget, a decimal number.'),
  current: z.string().describe('The cost, a decimal number.'),
  severity: z.string(),
  message: z.string(),
  status: z.enum(['firing', 'resolved']),
});

const webhook = z.strictObject({
  origin: z.string().describe('The origin of the URL. The rest of it may be a secret.'),
  ...eventDataOf(webhooks).shape,
});

const changed = z.literal('changed').optional().describe('Present if it was changed.');

const contentText = z.string().optional().describe('Only for a webhook with `include_content`.');

/** What the messages of a webhook with `include_content` have besides. No event has it. */
export const contentFields: { readonly [Type in EventType]?: z.ZodRawShape } = {
  'message.created': { content: contentText },
  'issue.created': { description: contentText },
};

/** The schema of `data` for each event type. Texts in it are cut at 200 characters, so a schema must allow that. */
export const eventDataSchemas = {
  'issue.created': eventDataOf(issues),
  'issue.updated': eventSetOf(issues).pick({ status: true }),
  'issues.updated': z.strictObject(changeFields(z.int(), eventSetOf(issues))),
  'issues.deleted': z.strictObject({
    ...bulkFields(z.int()),
    links: count.describe('How many links were deleted with them.'),
  }),
  'label.updated': label,
  'label.deleted': label,
  'link.created': link,
  'link.deleted': link,
  'comment.created': comment,
  'comment.updated': comment,
  'comment.deleted': comment,

  'conversation.created': conversation,
  'conversation.updated': set.pick({ status: true }).extend({ unread_count: count.optional() }),
  'conversation.deleted': conversation,
  'conversations.updated': z.strictObject(
    changeFields(z.string(), set.extend({ read: z.literal(true).optional() })),
  ),
  'message.created': z.strictObject({
    ...message,
    from_draft_of: z.int().optional().describe("The visitor's message whose draft was sent."),
  }),
  'message.updated': z.strictObject({
    ...message,
    draft: z
      .enum(['proposed', 'edited', 'rejected', 'sent'])
      .describe('What happened to the draft on the message.'),
  }),
  'message.delivered': z.strictObject({
    conversation_id: z.string(),
    message_id: z.int(),
    state: z
      .enum(deliveryStates)
      .describe(
        'Of the mail to the visitor. `queued` again if an attempt failed, or somebody asked for another.',
      ),
  }),
  'saved_reply.created': savedReply,
  'saved_reply.updated': savedReply,
  'saved_reply.deleted': savedReply,
  'view.saved': view,
  'view.deleted': view,
  'visitor.erased': z.strictObject({
    digest: z
      .string()
      .nullable()
      .describe('A digest of the address under the key of the service; null if it has none.'),
    conversations: count,
    messages: count,
    redacted: count.describe('Other rows that named the visitor.'),
  }),

  'example_data.deleted': z.strictObject({ table: z.string(), rows: count }),

  // Of accounts and of what gives access to them: they contain no secret.
  'invitation.created': invitation.extend({ expires_at: timestamp }),
  'invitation.revoked': invitation,
  'invitation.accepted': invitation.extend({ admin_id: z.string() }),
  'password_reset.requested': session,
  'session.started': session.extend({
    /** Present if the account has not signed in with that browser and system, or from that network, in 90 days. */
    new_device: z.literal(true).optional(),
    new_network: z.literal(true).optional(),
    /** Present if the sign-in needed one. */
    second_factor: z.enum(signInMethods).optional(),
  }),
  'session.ended': session,
  'token.created': token.extend({
    expires_at: timestamp.nullable(),
    /** The admin that it acts as. */
    owner_id: z.string().optional(),
    read_only: z.literal(true).optional(),
    scope: z.literal('intake').optional(),
  }),
  'token.revoked': token,
  'admin.created': admin,
  'admin.updated': admin.partial().extend({
    password: z.literal('changed').optional().describe('Present if it was changed.'),
  }),
  'admin.deleted': admin,
  'factor.added': factor,
  'factor.removed': factor,
  'recovery_codes.created': codes,
  'recovery_code.used': codes,

  'setting.updated': setting,
  'settings.updated': batch,
  'setting.deleted': setting,
  'token_usage.recorded': z.strictObject({ records: count, duplicates: count }),
  'token_alert.raised': alert,
  'token_alert.resolved': alert,
  'scraping_run.recorded': z.strictObject({
    source: z.string(),
    status: z.enum(runStatuses),
    new_errors: count.describe('Errors that were not known before.'),
  }),
  'webhook.created': webhook,
  'webhook.updated': webhook.extend({
    url: changed,
    secret: changed,
    reason: z.string().optional().describe('Why the service deactivated the webhook.'),
  }),
  'webhook.deleted': webhook,
  'webhook.tested': z
    .strictObject({ status: z.enum(deliveryOutcomes), response_status: z.int().nullable() })
    .partial()
    .describe('Empty in the message itself, whose result is not known yet.'),
  'webhook.replayed': z.strictObject({
    delivery_id: z.int().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    status: z.enum(deliveryOutcomes).optional(),
    messages: count.describe('How many messages were queued.'),
  }),
  'audit.purged': z.strictObject({
    records: count,
    before: timestamp.nullable().describe('The records were older than this time.'),
  }),
  'audit.redacted': z.strictObject({
    records: count,
    ids: z.array(z.int()).describe('The records whose fields before and after were erased.'),
  }),
  'secrets.encrypted': z.strictObject({
    key: z.string().nullable().describe('The id of the key that encrypts them now.'),
    secrets: count,
  }),
} as const satisfies Record<EventType, z.ZodObject>;
