import { z } from 'zod';
import { count, rowWithExample, timestamp } from './fields.ts';

/**
 * The shapes that the contract leaves open. Amounts of money are decimal texts. The cost of a model without a price is
 * null. Days without data are zeros. A month is the sum of its days, in the time zone that the answer names.
 */
const money = z.string().meta({ description: 'A decimal amount.', example: '41.2000' });
const month = z.string().meta({ description: 'A calendar month.', example: '2026-09' });
const date = z.string().meta({ description: 'A calendar day.', example: '2026-09-01' });

/** How many models or sources an answer names. Reports can contain any name, and each name costs time and memory. */
export const maxNames = 200;
export const otherNames = '(other)';

const named = (what: string, most: string) => ({
  description: `The ${maxNames} ${what} with the most ${most} in the month; all others are one, \`${otherNames}\`.`,
});

const modelUsage = z.strictObject({
  model: z.string(),
  provider: z.string(),
  requests: count,
  inputTokens: count,
  outputTokens: count,
  totalTokens: count,
  cost: money.nullable(),
});

const usageTotals = {
  requests: count,
  failedRequests: count,
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: count,
  totalTokens: count,
  cost: money,
};

export const tokenUsageSchema = z
  .strictObject({
    month,
    timezone: z.string(),
    ...usageTotals,
    currency: z.string(),
    unpricedTokens: count,
    budget: z
      .strictObject({
        limit: money,
        usedRatio: z.number(),
        projectedCost: money
          .nullable()
          .describe('The expected cost of the whole month. Null once it is over.'),
      })
      .nullable(),
    byModel: z.array(modelUsage).meta(named('models', 'tokens')),
  })
  .meta({ id: 'TokenUsage' });

export const tokenAlertSchema = z
  .strictObject({
    id: z.int(),
    metric: z.string(),
    model: z.string().nullable(),
    period: month,
    threshold: z.number(),
    limit: money,
    current: money,
    severity: z.string(),
    status: z.string(),
    triggeredAt: timestamp,
    message: z.string(),
  })
  .meta({ id: 'TokenAlert' });

export const tokenDaySchema = z
  .strictObject({ date, ...usageTotals, byModel: z.array(modelUsage) })
  .meta({ id: 'TokenDay' });

const scrapingCounts = {
  runs: count,
  succeededRuns: count,
  failedRuns: count,
  cancelledRuns: count,
  pagesSucceeded: count,
  pagesFailed: count,
  pagesBlocked: count,
  itemsScraped: count,
  successRate: z
    .number()
    .nullable()
    .describe('The share of succeeded runs in those that succeeded or failed. Null without any.'),
  avgDurationMs: z.int().nullable(),
  lastRunAt: timestamp.nullable(),
};

const sourceSchema = z.strictObject({ source: z.string(), ...scrapingCounts });

export const scrapingSchema = z
  .strictObject({
    month,
    timezone: z.string(),
    ...scrapingCounts,
    bySource: z.array(sourceSchema).meta(named('sources', 'runs')),
  })
  .meta({ id: 'Scraping' });

export const scrapingDaySchema = z
  .strictObject({
    date,
    startsAt: timestamp.describe('When the day starts in the time zone of the answer.'),
    endsAt: timestamp.describe('When the next day starts.'),
    ...scrapingCounts,
    bySource: z.array(sourceSchema),
  })
  .meta({ id: 'ScrapingDay' });

export const { schema: scrapingErrorSchema, example: exampleScrapingError } = rowWithExample(
  'ScrapingError',
  {
    id: [z.int(), 21],
    runId: [z.string(), 'run_2026-01-31'],
    source: [z.string(), 'shop.example.org'],
    url: [z.string(), 'https://shop.example.org/page/7'],
    code: [z.string(), 'TIMEOUT'],
    httpStatus: [z.int().nullable(), null],
    message: [z.string(), 'No answer in 30 s.'],
    occurredAt: [timestamp, '2026-01-31T09:33:10.000Z'],
  },
);
