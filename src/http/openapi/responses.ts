import { z } from 'zod';
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
  ZodOpenApiSchemaObject,
} from 'zod-openapi';
import {
  type DocumentedError,
  type ErrorCode,
  factorRequired,
  intakeOnly,
  invalid,
  locked,
  notJson,
  readOnlyToken,
  starting,
  unauthorized,
  unavailable,
} from '../../contract/errors.ts';
import {
  failsWith500,
  insufficientPermissions,
  isOfContract,
  type Operation,
  readsQuery,
} from '../../contract/operation.ts';
import { problemSchema } from '../../contract/problem.ts';
import { idempotencyErrors, takesIdempotencyKey } from '../../contract/route.ts';
import { problemType } from '../../contract/vocabulary.ts';
import { tooDeep } from '../../services/call/validate.ts';
import { crossOriginError } from '../cors.ts';
import { bodyLimitOf, bodyTimedOut, unsupportedEncoding } from '../requests/body.ts';
import { methodNotAllowed, notFound, statusOf, statusOfSuccess } from '../responses/problem.ts';
import { examplesOf, named, notModified, requestId, responseHeaders, successHeaders } from './parts.ts';

/** The schema of every error. The document calls it `Error`. */
export const errorSchema: ZodOpenApiSchemaObject = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'What went wrong, as a sentence.' } },
  additionalProperties: false,
};

const errorReference = { $ref: '#/components/schemas/Error' };

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const headersOf: Partial<Record<ErrorCode, ZodOpenApiHeadersObject>> = {
  rate_limited: retryAfter,
  busy: retryAfter,
  starting: retryAfter,
  // Other errors have this status too, without the header.
  idempotency_key_in_use: { 'Retry-After': { ...responseHeaders.RetryAfter, required: false } },
};

const replayedHeader = {
  'Idempotency-Replayed': {
    description: 'Present if an earlier request with the same `Idempotency-Key` got this answer.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

/** The statuses that can be those of an earlier request. */
const replayedStatuses: readonly number[] = [200, statusOf.invalid, statusOf.conflict];

const cookieHeader = {
  'Set-Cookie': {
    description: 'The session cookie: HttpOnly, SameSite=Strict, and Secure on HTTPS.',
    schema: { type: 'string', examples: ['backoffice=s%3A…; Path=/; HttpOnly; SameSite=Strict'] },
  },
} as const;

/** The operations that start a session. */
const setsCookie: readonly string[] = ['session.create', 'session.verify'];

/** Returns every response of an operation, by status. */
export function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  // Two codes may have the same status.
  const byStatus = Map.groupBy(errorsOf(operation), ({ code }) => statusOf[code]);
  const responses: ZodOpenApiResponsesObject = {
    [statusOfSuccess(operation)]: {
      description: descriptionOf(operation),
      headers: {
        ...requestId,
        ...(setsCookie.includes(operation.id) ? cookieHeader : {}),
        ...successHeaders(operation),
      },
      content: {
        [mediaTypeOf(operation)]: {
          schema: operation.output,
          ...examplesOf(operation, 'output'),
        },
      },
    },
    ...pendingResponse(operation),
    ...notModified(operation),
    ...Object.fromEntries([...byStatus].map(([status, errors]) => [status, errorResponse(errors)])),
    404: { $ref: '#/components/responses/NotFound' },
    405: { $ref: '#/components/responses/MethodNotAllowed' },
  };
  if (!takesIdempotencyKey(operation)) return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      replayedStatuses.includes(Number(status))
        ? { ...response, headers: { ...response.headers, ...replayedHeader } }
        : response,
    ]),
  );
}

function mediaTypeOf({ answers }: Operation): string {
  if (answers === 'file') return 'application/octet-stream';
  return answers === 'events' ? 'text/event-stream' : 'application/json';
}

function descriptionOf({ answers, accepted }: Operation): string {
  if (answers === 'events') return streamDescription;
  return accepted ? 'The request was accepted.' : 'Success.';
}

/** Returns the response to a caller who has to do something first, if the operation has one. */
function pendingResponse({ pending }: Operation): ZodOpenApiResponsesObject {
  if (pending === undefined) return {};
  return {
    202: {
      description: 'Not done yet: something else comes first.',
      headers: requestId,
      content: { 'application/json': { schema: pending } },
    },
  };
}

/** The responses of a service that does not have the operation, such as one of an earlier version. */
export const missingOperationResponses = {
  NotFound: {
    ...errorResponse([notFound()]),
    description: 'The service has no such path. An id that is unknown is not a 404.',
  },
  MethodNotAllowed: {
    ...errorResponse([methodNotAllowed]),
    description: 'The path has no such method.',
    headers: { ...requestId, Allow: { $ref: '#/components/headers/Allow' } },
  },
};

const streamDescription = `
A stream of server-sent events. Each event has an \`id\`, its type as \`event\`, and a JSON object of this schema as
\`data\`. The stream ends when the caller loses access or the service stops. A client that reads nothing for 20 seconds
is disconnected. A client that reconnects with the last id misses no event.
A request with \`Accept: text/event-stream\` gets a stream that ends at once instead of a 5xx, so that an \`EventSource\`
connects again.
`.trim();

/** Returns every error of an operation: of its access, its input, its own rules, and its failures. */
export function errorsOf(operation: Operation): DocumentedError[] {
  const { allow, enrolment, method, forReadOnly, intake, errors = [], failure } = operation;
  const takesBody = !readsQuery(operation);
  return [
    ...(allow.to === 'anyone' ? [] : [unauthorized]),
    ...(allow.to === 'roles' ? [insufficientPermissions] : []),
    ...(allow.to === 'anyone' || enrolment ? [] : [factorRequired]),
    ...(allow.to === 'anyone' || method === 'GET' || forReadOnly ? [] : [readOnlyToken]),
    ...(allow.to === 'anyone' || intake === true ? [] : [intakeOnly]),
    ...errors,
    ...(takesIdempotencyKey(operation) ? Object.values(idempotencyErrors) : []),
    ...(takesBody ? [tooDeep] : nulErrors(operation)),
    ...(takesBody && !isOfContract(operation) ? [notJson] : []),
    ...(operation.method === 'GET' ? [] : [crossOriginError]),
    ...(takesBody ? [bodyTimedOut, bodyLimitOf(operation).tooLarge, unsupportedEncoding] : []),
    { code: 'failed', text: failure ?? unavailable.text },
    locked,
    ...(failsWith500(operation) ? [] : [unavailable]),
    // The contract makes an unparseable body a 500, with the parser's message.
    ...(takesBody && failure === undefined && isOfContract(operation) ? [unparseable] : []),
    starting,
  ];
}

/** Every parameter has this error. One example is enough. */
function nulErrors({ input }: Operation): DocumentedError[] {
  const [name] = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  return name === undefined ? [] : [invalid(`${name} must not contain a NUL character.`)];
}

const unparseable: DocumentedError = { code: 'failed', text: 'Unexpected end of JSON input' };

function errorResponse(errors: readonly DocumentedError[]): ZodOpenApiResponseObject {
  const texts = [...new Set(errors.map(({ text }) => text))];
  const others = errors.some(({ code }) => code === 'invalid')
    ? ['Or a sentence that names the invalid field.']
    : [];
  const lines = [...texts, ...others];
  const headers = errors.map(({ code }) => headersOf[code]).find(Boolean);
  return {
    description: lines.length === 1 ? String(lines[0]) : lines.map((line) => `- ${line}`).join('\n'),
    headers: { ...requestId, ...headers },
    content: {
      'application/json': {
        schema: errorReference,
        examples: named(texts.map((text) => [text, { error: text }])),
      },
      [problemType]: { schema: problemSchema },
    },
  };
}
