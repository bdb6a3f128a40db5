import { z } from 'zod';
import { count } from '../schemas/fields.ts';
import { issueStatuses } from '../vocabulary.ts';
import { bulkFields, changeFields } from './bulk.ts';

const status = z.enum(issueStatuses);

const text = z.string().optional();
const set = z.strictObject({
  status: status.optional(),
  severity: text,
  category: text,
  title: text,
  description: text,
  steps_to_reproduce: text,
  assignee_id: z.string().nullable().optional(),
});

export const issueEvents = {
  'issue.created': z.strictObject({ title: z.string(), category: z.string(), severity: z.string(), status }),
  'issue.updated': z.strictObject({ status: status.optional() }),
  'issues.updated': z.strictObject(changeFields(z.int(), set)),
  'issues.deleted': z.strictObject({
    ...bulkFields(z.int()),
    links: count.meta({ description: 'How many links were deleted with them.' }),
  }),
} as const;
