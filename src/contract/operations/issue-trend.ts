import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { defineOperation } from '../operation.ts';
import { clamped } from '../schemas/fields.ts';
import { issueTrendSchema } from '../schemas/issues.ts';

export const defaultTrendDays = 30;
/** A leap year. */
export const maxTrendDays = 366;

/** Beyond the contract: the aggregate of 4.1 counts by age, this one by day. */
const showIssueTrend = defineOperation({
  id: 'issues.trend',
  summary: 'Count the issues reported on each of the last days',
  description:
    'One entry per day, today included, also for days without issues. Days start at midnight in the time ' +
    'zone of the setting `timezone`, which is UTC by default.',
  method: 'GET',
  path: '/api/admin/issues/trend',
  allow: anySession,
  storable: true,
  input: z.object({ days: clamped(defaultTrendDays, 1, maxTrendDays) }),
  output: issueTrendSchema,
  replica: true,
  example: {
    input: { days: 2 },
    output: {
      timezone: 'Europe/Berlin',
      days: [
        {
          date: '2026-01-30',
          startsAt: '2026-01-29T23:00:00.000Z',
          endsAt: '2026-01-30T23:00:00.000Z',
          count: 0,
          bySeverity: [],
        },
        {
          date: '2026-01-31',
          startsAt: '2026-01-30T23:00:00.000Z',
          endsAt: '2026-01-31T23:00:00.000Z',
          count: 3,
          bySeverity: [
            { severity: 'High', count: 1 },
            { severity: 'Low', count: 2 },
          ],
        },
      ],
    },
  },
});

export const issueTrendOperations = [showIssueTrend] as const;
