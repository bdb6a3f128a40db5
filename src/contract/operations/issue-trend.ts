import { z } from 'zod';
import { anySession, defineOperation } from '../operation.ts';
import { clamped, count } from '../schemas/fields.ts';

export const usualTrendDays = 30;
/** A leap year. */
export const mostTrendDays = 366;

const issueTrendSchema = z
  .strictObject({
    timezone: z.string().meta({ description: 'Whose days they are: that of the setting `timezone`.' }),
    days: z
      .array(
        z.strictObject({
          date: z.string().meta({ description: 'A calendar day.', example: '2026-01-31' }),
          count,
          bySeverity: z.array(z.strictObject({ severity: z.string(), count })),
        }),
      )
      .meta({ description: "The oldest first, the last one today's; none is left out." }),
  })
  .meta({ id: 'IssueTrend' });

/** Beyond the contract: the aggregate of 4.1 counts by age, and this one by the day. */
export const showIssueTrend = defineOperation({
  id: 'issues.trend',
  summary: 'Count the issues that were reported on each of the last days',
  method: 'GET',
  path: '/api/admin/issues/trend',
  allow: anySession,
  input: z.object({ days: clamped(usualTrendDays, 1, mostTrendDays) }),
  output: issueTrendSchema,
  replica: true,
  example: {
    input: { days: 2 },
    output: {
      timezone: 'Europe/Berlin',
      days: [
        { date: '2026-01-30', count: 0, bySeverity: [] },
        {
          date: '2026-01-31',
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
