import { z } from 'zod';
import { superadmins } from '../access-rules.ts';
import { defineOperation } from '../operation.ts';
import { shownAs, timestamp, toRowId } from '../schemas/fields.ts';
import {
  filterText,
  filterWords,
  listErrors,
  listParameters,
  nextCursor,
  sortError,
  toCursor,
  total,
} from '../schemas/lists.ts';
import { creationSorts } from '../sorts.ts';
import { doors, eventTypes } from '../vocabulary.ts';

const recordedFields = z
  .record(z.string(), z.unknown())
  .nullable()
  .meta({ description: 'Fields of the row, without secrets, setting values and message texts.' });

const auditRecordSchema = z
  .strictObject({
    id: z.int().meta({ description: 'The id of the event of the same change.' }),
    created_at: timestamp,
    actor_kind: z.enum(['admin', 'token', 'operator', 'service', 'nobody']),
    actor_id: z.string().nullable().meta({ description: 'The id of the admin or token.' }),
    actor_name: z.string(),
    door: z.enum(doors),
    address: z.string().meta({ description: 'The network address, or empty.' }),
    operation: z.string(),
    event: z.string(),
    subject_id: z.string().nullable(),
    before: recordedFields,
    after: recordedFields,
  })
  .meta({ id: 'AuditRecord' });

const exampleRecord: z.infer<typeof auditRecordSchema> = {
  id: 42,
  created_at: '2026-01-31T09:30:00.000Z',
  actor_kind: 'admin',
  actor_id: 'admin_1769851800000_k3x9a2',
  actor_name: 'grace@example.com',
  door: 'http',
  address: '203.0.113.7',
  operation: 'issues.changeStatus',
  event: 'issue.updated',
  subject_id: '7',
  before: { status: 'Open' },
  after: { status: 'Resolved' },
};

const onlyAfter =
  'Only records after this id, oldest first. The response is always a page, of 1,000 records by default.';

/**
 * Declares the operations on the audit trail.
 *
 * @param recorded - the names that changes are recorded under
 */
export function auditOperations(recorded: readonly string[]) {
  const door = filterWords('door', doors, 'Only changes through this interface.');
  const operation = filterWords('operation', recorded, 'Only changes by this operation.');
  const event = filterWords('event', eventTypes, 'Only changes with this event type.');

  /** Beyond the contract: who did what, when and from where. */
  const listAudit = defineOperation({
    id: 'audit.list',
    summary: 'List who changed what and when, newest first',
    description:
      'One record per change, through every interface. Records contain no secrets, setting values or ' +
      'message texts. Without `limit`, the whole trail is streamed. To follow it, repeat the request with ' +
      'the last id as `after`.',
    method: 'GET',
    path: '/api/admin/audit',
    allow: superadmins,
    input: z.object({
      actor: filterText(
        'Only changes by this actor: an e-mail, `token:<name>`, or the name of a local operator.',
      ),
      door: door.schema,
      operation: operation.schema,
      event: event.schema,
      subject_id: filterText('Only changes of the subject with this id.'),
      after: filterText(onlyAfter)
        .transform((id) => (id === undefined ? undefined : toRowId(id)))
        .meta(shownAs({ type: 'string', description: onlyAfter })),
      ...listParameters(
        z.int(),
        "the actor's name, the operation, the event, the subject's id and the values before and after (the first 100,000 characters of them together)",
      ),
    }),
    output: z.strictObject({ audit: z.array(auditRecordSchema), nextCursor, total }),
    rows: 'audit',
    errors: [door.error, operation.error, event.error, sortError(creationSorts), ...listErrors],
    failure: 'Failed to load the audit trail.',
    example: { output: { audit: [exampleRecord] } },
    otherExamples: {
      'A page': {
        input: { limit: 1, actor: 'grace@example.com' },
        output: { audit: [exampleRecord], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 42]) },
      },
    },
  });

  return [listAudit] as const;
}
