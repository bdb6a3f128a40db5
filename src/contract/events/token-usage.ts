import { z } from 'zod';
import { count } from '../schemas/fields.ts';

const alert = z.strictObject({
  metric: z.string(),
  model: z.string().nullable().meta({ description: 'Null means all models together.' }),
  period: z.string().meta({ description: 'The month, such as `2026-01`.' }),
  threshold: z.number().meta({ description: 'The share of the limit that was reached.' }),
  limit: z.string().meta({ description: 'The budget, a decimal number.' }),
  current: z.string().meta({ description: 'The cost, a decimal number.' }),
  severity: z.string(),
  message: z.string(),
  status: z.enum(['firing', 'resolved']),
});

export const tokenUsageEvents = {
  'token_usage.recorded': z.strictObject({ records: count, duplicates: count }),
  'token_alert.raised': alert,
  'token_alert.resolved': alert,
} as const;
