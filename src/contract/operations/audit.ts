import { z } from 'zod';
import { eventTypes } from '../event-types.ts';
import { defineOperation, superadmins } from '../operation.ts';
import { count, parsed, rowWithExample, shownAs, timestamp } from '../schemas/fields.ts';
import { filterText, filterWords, listParameters, nextCursor, toCursor, total } from '../schemas/lists.ts';
import { toRowId } from '../schemas/row-ids.ts';
import { doors } from '../vocabulary.ts';

const recordedFields = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe(
    'Fields of the row, without secrets and message texts. Of a setting that is not secret, `value` is its value, and of a ' +
      'batch `values` those that changed, by key.',
  );

const { schema: auditRecordSchema, example: exampleRecord } = rowWithExample('AuditRecord', {
  id: [z.int().describe('The id of the event of the same change.'), 42],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  actor_kind: [z.enum(['admin', 'token', 'operator', 'service', 'nobody']), 'admin'],
  actor_id: [z.string().nullable().describe('The id of the admin or token.'), 'admin_1769851800000_k3x9a2'],
  actor_name: [z.string(), 'grace@example.com'],
  door: [z.enum(doors), 'http'],
  address: [z.string().describe('The network address, or empty.'), '203.0.113.7'],
  operation: [z.string(), 'issues.changeStatus'],
  event: [z.string(), 'issue.updated'],
  subject_id: [z.string().nullable(), '7'],
  before: [recordedFields, { status: 'Open' }],
  after: [recordedFields, { status: 'Resolved' }],
});

const chainLink = z.strictObject({
  id: z.int(),
  chain: z.string().describe('SHA-256 in hex, which proves all records up to this one.'),
});

const exampleLink: z.infer<typeof chainLink> = {
  id: 42,
  chain: '0f343b0931126a20f133d67c2b018a3b8f2a1c6b5d1b7c1f8e7f2d7b0f8a4c11',
};

const wrongLink = (name: string) => `${name} must be a link of the chain, such as 4711:0f34….`;

function readLink(text: string): { readonly id: number; readonly chain: string } | undefined {
  const [, id, chain = ''] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  return id === undefined ? undefined : { id: Number(id), chain: chain.toLowerCase() };
}

/** Accepts a link of the chain as `<id>:<hash>`. */
const linkParameter = (name: string, description: string) =>
  parsed(z.string({ error: wrongLink(name) }), wrongLink(name), readLink).meta(
    shownAs({ type: 'string', pattern: '^\\d{1,15}:[0-9a-fA-F]{64}$', description }),
  );

const onlyAfter =
  'Only records after this id, oldest first. The response is always a page, of 1,000 records by default.';

/** The operations on the audit trail, whose records have these names of operations. */
export const auditOperations = (recorded: readonly string[]) =>
  [
    /** Beyond the contract: who did what, when and from where. */
    defineOperation('GET', '/api/admin/audit', superadmins, {
      id: 'audit.list',
      summary: 'List who changed what and when, newest first',
      description:
        'One record per change, through every interface. Records contain no secrets and no message ' +
        'texts. Without `limit`, the whole trail is streamed. To follow it, repeat the request with ' +
        'the last id as `after`.',
      input: z.object({
        actor: filterText(
          'Only changes by this actor: an e-mail, `token:<name>`, or the name of a local operator.',
        ),
        door: filterWords('door', doors, 'Only changes through this interface.'),
        operation: filterWords('operation', recorded, 'Only changes by this operation.'),
        event: filterWords('event', eventTypes, 'Only changes with this event type.'),
        subject_id: filterText('Only changes of the subject with this id.'),
        after: filterText(onlyAfter)
          .transform((id) => (id === undefined ? undefined : toRowId(id)))
          .meta(shownAs({ type: 'string', description: onlyAfter })),
        ...listParameters(
          z.int(),
          "the actor's name, the operation, the event, the subject's id and the values before and after (the first " +
            '100,000 characters of them together)',
        ),
      }),
      output: z.strictObject({ audit: z.array(auditRecordSchema), nextCursor, total }),
      rows: 'audit',
      failure: 'Failed to load the audit trail.',
      example: { output: { audit: [exampleRecord] } },
      otherExamples: {
        'A page': {
          input: { limit: 1, actor: 'grace@example.com' },
          output: { audit: [exampleRecord], nextCursor: toCursor(['2026-01-31T09:30:00.000000Z', 42]) },
        },
      },
    }),

    defineOperation('GET', '/api/admin/audit/verify', superadmins, {
      id: 'audit.verify',
      summary: 'Prove that no audit record was changed, deleted or added since it was written',
      description:
        'Verifies up to 10,000 records of the chain, oldest first, up to the first problem. Until `complete` is true, repeat the ' +
        'request with `<id>:<chain>` of `last` as `from`.',
      input: z.object({
        from: linkParameter('from', 'Where an earlier request has ended.'),
        expect: linkParameter(
          'expect',
          'The end of the chain that an earlier verification has found and that was kept elsewhere. Also proves that the trail ' +
            'continues it.',
        ),
      }),
      output: z.strictObject({
        valid: z.boolean().describe('Whether these records are intact.'),
        verified: count.describe('How many records are intact, up to the first problem.'),
        after: z.int().describe('The chain proves the records after this one.'),
        unproven: count.describe('How many records are older than the chain, which nothing proves.'),
        last: chainLink,
        problem: z.strictObject({ id: z.int(), message: z.string() }).nullable(),
        complete: z.boolean().describe('Whether it has come to a problem or to the end of the trail.'),
      }),
      failure: 'Failed to verify the audit trail.',
      example: {
        output: {
          valid: true,
          verified: 42,
          after: 0,
          unproven: 0,
          last: exampleLink,
          problem: null,
          complete: true,
        },
      },
    }),
  ] as const;
