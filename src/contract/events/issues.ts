import { z } from 'zod';
import { issueStatuses } from '../vocabulary.ts';

const status = z.enum(issueStatuses);

export const issueEvents = {
  'issue.created': z.strictObject({ title: z.string(), category: z.string(), severity: z.string(), status }),
  'issue.updated': z.strictObject({ status: status.optional() }),
} as const;
