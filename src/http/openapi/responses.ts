import type {
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
  ZodOpenApiSchemaObject,
} from 'zod-openapi';
import { type DocumentedError, type ErrorCode, unauthorized } from '../../contract/errors.ts';
import { type Operation, readsQuery } from '../../contract/operation.ts';
import { bodyLimitOf, unsupported } from '../body.ts';
import { otherOrigin } from '../origin.ts';
import { statusOf } from '../responses.ts';
import { examplesOf, named } from './examples.ts';

/** The schema of every error, under the name `Error`. */
export const errorSchema: ZodOpenApiSchemaObject = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'What is wrong, for people.' } },
  additionalProperties: false,
};

const errorReference = { $ref: '#/components/schemas/Error' };

const retryAfter = {
  'Retry-After': {
    description: 'Seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
} as const;

/** What only some statuses or operations have. */
const headersOf: Partial<Record<ErrorCode, typeof retryAfter>> = {
  rate_limited: retryAfter,
  busy: retryAfter,
};
const cookieHeader = {
  'Set-Cookie': {
    description: 'The session: HttpOnly, SameSite=Strict, and Secure on HTTPS.',
    schema: { type: 'string', examples: ['backoffice=s%3A…; Path=/; HttpOnly; SameSite=Strict'] },
  },
} as const;

/** Every answer of an operation, by its status. */
export function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const byCode = Map.groupBy(errorsOf(operation), (error) => error.code);
  return {
    200: {
      description: operation.answers === 'events' ? stream : 'Done.',
      ...(operation.id === 'session.create' ? { headers: cookieHeader } : {}),
      content: {
        [operation.answers === 'events' ? 'text/event-stream' : 'application/json']: {
          schema: operation.output,
          ...examplesOf(operation, 'output'),
        },
      },
    },
    ...Object.fromEntries([...byCode].map(([code, errors]) => [statusOf[code], errorResponse(code, errors)])),
  };
}

const stream = `
Server-sent events without an end. Each has the \`id\` to resume after, its type as \`event\`, and as \`data\` a JSON object
of this schema. The stream ends when the access does, and when the service stops; a client that left what it got
untouched for 20 seconds is cut off. Whoever connects again with the last id has missed nothing.
`.trim();

/** Every error of an operation: those of its access, of its input, of its own rules, and its 500s. */
function errorsOf(operation: Operation): DocumentedError[] {
  const { allow, errors = [], failure } = operation;
  const takesBody = !readsQuery(operation);
  return [
    ...(allow.to === 'anyone' ? [] : [unauthorized]),
    ...(allow.to === 'roles' ? [allow.otherwise] : []),
    ...errors,
    { code: 'invalid', text: takesBody ? tooDeep : 'id must not contain a NUL character.' },
    ...(operation.method === 'GET' ? [] : [otherOrigin]),
    ...(takesBody ? [bodyLimitOf(operation).tooLarge, unsupported] : []),
    { code: 'failed', text: failure ?? 'The database is unavailable.' },
    // The contract's own: a body that cannot be parsed is a failure, and its text says where.
    ...(takesBody && failure === undefined ? [unparseable] : []),
  ];
}

const tooDeep = 'The request must not be nested deeper than 32 levels.';
const unparseable: DocumentedError = { code: 'failed', text: 'Unexpected end of JSON input' };

function errorResponse(code: ErrorCode, errors: readonly DocumentedError[]): ZodOpenApiResponseObject {
  const texts = [...new Set(errors.map(({ text }) => text))];
  const others = code === 'invalid' ? ['Or a sentence that names the field at fault.'] : [];
  const lines = [...texts, ...others];
  const headers = headersOf[code];
  return {
    description: lines.length === 1 ? String(lines[0]) : lines.map((line) => `- ${line}`).join('\n'),
    ...(headers === undefined ? {} : { headers }),
    content: {
      'application/json': {
        schema: errorReference,
        examples: named(texts.map((text) => [text, { error: text }])),
      },
    },
  };
}
