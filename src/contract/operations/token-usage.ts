import { anySession, defineOperation } from '../operation.ts';
import {
  batchedFlagOr,
  batchedName,
  batchedNumber,
  batchedNumberOr,
  batchedObject,
  batchedText,
  batchedTime,
  batchOf,
  rule,
} from '../schemas/batches.ts';
import { count, success } from '../schemas/fields.ts';

/** Far more than any request to a model has. */
const maxTokens = 1_000_000_000;
export const maxRecords = 1_000;

export const tokenUsageRecordSchema = batchedObject({
  record_id: batchedName("The sender's own id of the request. A request that is sent again counts once."),
  occurred_at: batchedTime('When the request was made. The default is now.'),
  provider: batchedText('The provider of the model.'),
  model: batchedName('The name of the model, as in the setting `token_prices`.'),
  input_tokens: batchedNumber(0, maxTokens, 'All tokens that the model read.'),
  output_tokens: batchedNumber(0, maxTokens, 'The tokens that the model wrote.'),
  cached_input_tokens: batchedNumberOr(0, 0, maxTokens, 'The part of `input_tokens` that came from a cache.'),
  succeeded: batchedFlagOr(
    true,
    'Whether the request succeeded. Failed requests and their tokens count too.',
  ),
})
  .refine(
    ({ input_tokens, cached_input_tokens }) => cached_input_tokens <= input_tokens,
    rule('cached_input_tokens', 'must not be greater than input_tokens, which includes them.'),
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

export const tokenUsageOperations = [
  /** Beyond the contract: the data of the analytics. */
  defineOperation('POST', '/api/admin/token-usage', anySession, {
    id: 'tokenUsage.record',
    summary: 'Record requests to language models in batches, without duplicates',
    description:
      'Takes one record, or up to 1,000 as `records`, which are accepted or rejected together. A record ' +
      'whose id is known counts once, so a failed request can be repeated. The monthly analytics ' +
      'follow at once, and the token alerts a moment later.',
    intake: true,
    changes: ['token_usage.recorded', 'token_alert.raised', 'token_alert.resolved'],
    // A record that is sent again counts once.
    repeatable: true,
    input: batchOf('records', tokenUsageRecordSchema, maxRecords),
    output: success.extend({
      recorded: count.describe('How many records are new.'),
      duplicates: count.describe('How many records have an id that is known or repeated in the batch.'),
    }),
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
  }),
] as const;
