import { z } from 'zod';
import { anySession } from '../access-rules.ts';
import { invalid } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import {
  batchedFlagOr,
  batchedName,
  batchedNumber,
  batchedNumberOr,
  batchedObject,
  batchedText,
  batchedTime,
  batchOf,
  required,
  rule,
  sentence,
} from '../schemas/batches.ts';
import { count } from '../schemas/fields.ts';

/** Far above any request to a model. */
const mostTokens = 1_000_000_000;
/** Records in one request. */
export const mostRecords = 1_000;

const tooManyCached = 'must not be more than input_tokens, of which they are a part.';

/** One request to a language model. */
export const tokenUsageRecordSchema = batchedObject({
  record_id: batchedName("The sender's own id of the request: sent again, it counts once."),
  occurred_at: batchedTime('When it was made; without it, now.'),
  provider: batchedText('Whose model it is.'),
  model: batchedName('Its name, by which the setting `token_prices` knows it.'),
  input_tokens: batchedNumber(0, mostTokens, 'All that the model read.'),
  output_tokens: batchedNumber(0, mostTokens, 'What it wrote.'),
  cached_input_tokens: batchedNumberOr(0, 0, mostTokens, 'Those of `input_tokens` that came from a cache.'),
  succeeded: batchedFlagOr(true, 'A failed request counts, and so do the tokens that it used.'),
})
  .refine(
    ({ input_tokens, cached_input_tokens }) => cached_input_tokens <= input_tokens,
    rule('cached_input_tokens', tooManyCached),
  )
  .meta({ id: 'TokenUsageRecord' });

const exampleRecord = {
  record_id: 'req_8f14e45f',
  occurred_at: '2026-01-31T09:30:00.000Z',
  provider: 'example-ai',
  model: 'small-1',
  input_tokens: 1_800,
  output_tokens: 240,
  cached_input_tokens: 600,
  succeeded: true,
};

/** Beyond the contract: what the analytics are made of. */
const recordTokenUsage = defineOperation({
  id: 'tokenUsage.record',
  summary: 'Record requests to language models; one that is known already changes nothing',
  method: 'POST',
  path: '/api/admin/token-usage',
  allow: anySession,
  changes: ['token_usage.recorded', 'token_alert.raised', 'token_alert.resolved'],
  input: batchOf('records', tokenUsageRecordSchema, mostRecords),
  output: z.strictObject({
    success: z.literal(true),
    recorded: count.meta({ description: 'Records that are new.' }),
    duplicates: count.meta({ description: 'Records whose id was known, or came before in the same batch.' }),
  }),
  errors: [
    invalid(sentence(['records', 3, 'model'], required)),
    invalid(sentence(['cached_input_tokens'], tooManyCached)),
  ],
  failure: 'Failed to record the token usage.',
  example: {
    input: { records: [exampleRecord, { ...exampleRecord, record_id: 'req_45c48cce' }] },
    output: { success: true, recorded: 2, duplicates: 0 },
  },
  otherExamples: {
    'One record': {
      input: { record_id: 'req_8f14e45f', model: 'small-1', input_tokens: 1_800, output_tokens: 240 },
      output: { success: true, recorded: 0, duplicates: 1 },
    },
  },
});

export const tokenUsageOperations = [recordTokenUsage] as const;
