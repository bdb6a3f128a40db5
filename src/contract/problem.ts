import { z } from 'zod';
import { type ErrorCode, errorCodes } from './errors.ts';

/** An error as RFC 9457 describes it. */
export const problemSchema = z
  .strictObject({
    type: z
      .string()
      .meta({ format: 'uri-reference', description: 'Leads to the documentation of the code.' }),
    title: z.string().describe('What the code means. The same for every error with this code.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: z.string().min(1).describe('What went wrong, as a sentence: the text of `error`.'),
    code: z
      .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
      .describe('The kind of the error, for programs. New codes may be added.'),
    param: z.string().optional().describe('The field or parameter at fault, with dots between levels.'),
    request_id: z.string().describe('The `X-Request-Id` of the response, which the log has too.'),
  })
  .meta({
    id: 'Problem',
    description: 'An error, for clients that send `Accept: application/problem+json` (RFC 9457).',
    example: {
      type: '/api/docs/errors#invalid',
      title: errorCodes.invalid,
      status: 400,
      detail: 'Title is required',
      code: 'invalid',
      param: 'title',
      request_id: '1b4e28ba-2fa1-4d2b-883f-0016d3cca427',
    },
  });

export type Problem = z.output<typeof problemSchema>;
