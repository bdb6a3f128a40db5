import { z } from 'zod';
import type { ZodOpenApiHeadersObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Operation } from '../../contract/operation.ts';

const etag = { ETag: { $ref: '#/components/headers/ETag' } };
const link = { Link: { $ref: '#/components/headers/Link' } };
const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Reports whether a request may ask whether the answer has changed. */
export function isConditional({ method, answers }: Pick<Operation, 'method' | 'answers'>): boolean {
  return method === 'GET' && answers === undefined;
}

/** The request header that asks. */
export const ifNoneMatch = z.object({
  'If-None-Match': z.string().optional().meta({
    description:
      'The `ETag` of an earlier answer. If it is still that of the answer, the status is 304, without a body.',
  }),
});

/** Returns the headers of a success. */
export function successHeaders(operation: Operation): ZodOpenApiHeadersObject {
  if (!isConditional(operation)) return {};
  const parameters = operation.input instanceof z.ZodObject ? Object.keys(operation.input.shape) : [];
  const hasPages = parameters.includes('cursor') || parameters.includes('page');
  return { ...etag, ...(hasPages ? link : {}) };
}

/** Returns the response to a client that has the answer already. */
export function notModified(operation: Operation): ZodOpenApiResponsesObject {
  if (!isConditional(operation)) return {};
  return {
    304: {
      description: 'The answer is still the one with the `ETag` in `If-None-Match`.',
      headers: { ...requestId, ...etag },
    },
  };
}
