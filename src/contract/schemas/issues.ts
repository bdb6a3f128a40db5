import { z } from 'zod';
import { issueStatuses } from '../vocabulary.ts';
import { assignee } from './assignees.ts';
import { expectedFields } from './changes/expected.ts';
import { count, timestamp } from './fields.ts';

export const issueSchema = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    category: z.string(),
    severity: z.string(),
    description: z.string(),
    steps_to_reproduce: z.string(),
    status: z.enum(issueStatuses),
    created_at: timestamp,
    updated_at: timestamp,
    assignee,
  })
  .meta({ id: 'Issue' });

/** What the caller of a change saw of an issue. */
export const expectedIssue = expectedFields(
  {
    title: z.string(),
    category: z.string(),
    severity: z.string(),
    description: z.string(),
    steps_to_reproduce: z.string(),
    status: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    assignee_id: z.string().nullable(),
  },
  'issue',
  'status is now Resolved',
);

export const issueStatisticsSchema = z
  .strictObject({
    severityData: z.array(z.strictObject({ period_label: z.string(), severity: z.string(), count })),
    severityTotals: z.array(z.strictObject({ severity: z.string(), count })),
    statusCounts: z.array(z.strictObject({ status: z.string(), count })),
    categoryCounts: z.array(z.strictObject({ category: z.string(), count })),
    totalIssues: count,
  })
  .meta({ id: 'IssueStatistics' });

export const issueTrendSchema = z
  .strictObject({
    timezone: z.string().meta({ description: 'The time zone of the days, from the setting `timezone`.' }),
    days: z
      .array(
        z.strictObject({
          date: z.string().meta({ description: 'A calendar day.', example: '2026-01-31' }),
          startsAt: timestamp.meta({
            description: 'When the day starts: `since` of the list of its issues.',
          }),
          endsAt: timestamp.meta({ description: 'When the next day starts: `until` of that list.' }),
          count,
          bySeverity: z.array(z.strictObject({ severity: z.string(), count })),
        }),
      )
      .meta({ description: 'Oldest first, up to today, without gaps.' }),
  })
  .meta({ id: 'IssueTrend' });

export const exampleIssue: z.infer<typeof issueSchema> = {
  id: 1,
  title: 'Checkout button does nothing',
  category: 'Payments',
  severity: 'High',
  description: 'Nothing happens on click.',
  steps_to_reproduce: '1. Fill the cart\n2. Press Checkout',
  status: 'Open',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
