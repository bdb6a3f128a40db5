import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { type EventType, eventTypes } from '../../contract/event-types.ts';
import { contentFields } from '../../contract/events/data.ts';
import { eventSchemas } from '../../contract/events/envelope.ts';
import { type AccessRule, type Operation, readsQuery } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import { lenientRoles, rolesTable } from '../../contract/roles.ts';
import { idempotencyKeyPattern, takesIdempotencyKey } from '../../contract/route.ts';
import { timestamp } from '../../contract/schemas/fields.ts';
import { examplesOf, ifNoneMatch, isConditional, responseHeaders, tagDescription, tagOf } from './parts.ts';
import { errorSchema, missingOperationResponses, responsesOf } from './responses.ts';

const description = `
The back-office API for signed-in administrators: issues, conversations, settings, analytics, admins and the audit trail.

Sign in with \`POST /api/admin/session\`, which sets a cookie, or send an API token as \`Authorization: Bearer bo_…\`.
Every response is JSON, except the event stream and the files of mails. Every error is \`{ "error": "<text>" }\`, or with
\`Accept: application/problem+json\` a problem document with a [code](docs/errors). Checks run in this order:
session (401), role (403), body and validation (400), uniqueness (409). No endpoint returns 404: updates and deletes on
unknown ids succeed. Unknown parameters and fields are ignored, or with \`Prefer: handling=strict\` a 400 that names the
nearest one. A request with \`Prefer: background\` does not restart the idle time of its session.

${rolesTable}

${lenientRoles} Strict roles always hold for API tokens.

To repeat a POST safely, for example after a cut connection, send an \`Idempotency-Key\`, such as a new UUID, with its
first request and the same one with each repetition. For 24 hours every repetition gets the status and body of the
first, with \`Idempotency-Replayed: true\`, and nothing is done again. A key belongs to its caller and operation.
A POST that takes your password or the code of a device, and one that needs no session, take no key.
`.trim();

/** Returns where the operations are. The prefix is the path before theirs, as the client sees it. */
export function serversUnder(prefix: string) {
  const url = prefix === '' ? '/' : prefix;
  return [{ url, description: 'The server that serves this document.' }];
}

/** Creates the OpenAPI 3.1 document of the API from the registry of operations. */
export function createOpenApiDocument(version: string): object {
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Backoffice API',
        version,
        description,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: serversUnder(''),
      security: [{ session: [] }, { token: [] }],
      tags: [...new Set(operations.map(tagOf))].map((name) => ({ name, description: tagDescription(name) })),
      paths: pathsOf(operations),
      webhooks: webhookPaths(),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'backoffice',
            description:
              'Set by `POST /api/admin/session`. On HTTPS its name is `__Host-backoffice`, or `__Secure-backoffice` if the service has a path.',
          },
          token: {
            type: 'http',
            scheme: 'bearer',
            description:
              'An API token for scripts. Create one with `POST /api/admin/tokens` or `backoffice tokens create`.',
          },
        },
        schemas: { Error: errorSchema },
        headers: responseHeaders,
        responses: missingOperationResponses,
        parameters: webhookHeaders,
      },
    },
    { override: dropSafeIntegerBounds },
  );
}

/** Removes the bounds of JavaScript's safe integers, which zod adds to every integer. */
const dropSafeIntegerBounds: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

function pathsOf(all: readonly Operation[]) {
  const byPath = Map.groupBy(all, (operation) => operation.path);
  return Object.fromEntries(
    [...byPath].map(([path, samePath]) => [
      path,
      Object.fromEntries(samePath.map((operation) => [operation.method.toLowerCase(), describe(operation)])),
    ]),
  );
}

/** Browsers send this header automatically when they reconnect to a stream. */
const lastEventId = z.object({
  'Last-Event-ID': z
    .string()
    .regex(/^\d+$/)
    .optional()
    .meta({ description: 'The id of the last event received.' }),
});

function accessText(allow: AccessRule): string {
  if (allow.to === 'anyone') return 'Needs no session.';
  if (allow.to === 'session') return 'For every role.';
  return `For the role${allow.roles.length > 1 ? 's' : ''} ${allow.roles.join(' and ')}.`;
}

const idempotencyKey = z.object({
  'Idempotency-Key': z.string().regex(idempotencyKeyPattern).optional().meta({
    description:
      '1 to 255 printable ASCII characters, such as a UUID. A request that repeats the key within 24 hours gets the same answer, and nothing is done again.',
  }),
});

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { id, summary, description, allow, input, answers } = operation;
  return {
    operationId: id,
    summary,
    description: `${description} ${accessText(allow)}`,
    tags: [tagOf(operation)],
    ...(allow.to === 'anyone' ? { security: [] } : {}),
    ...(readsQuery(operation)
      ? {
          requestParams: {
            query: input as z.ZodObject,
            ...(answers === 'events' ? { header: lastEventId } : {}),
            ...(isConditional(operation) ? { header: ifNoneMatch } : {}),
          },
        }
      : {
          ...(takesIdempotencyKey(operation) ? { requestParams: { header: idempotencyKey } } : {}),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: input, ...examplesOf(operation, 'input') },
              ...(operation.takesMail
                ? { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } }
                : {}),
            },
          },
        }),
    responses: responsesOf(operation),
  };
}

const text = (name: string, description: string, example: string) => ({
  in: 'header' as const,
  name,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
});

/** The headers of every message, after https://www.standardwebhooks.com. */
const webhookHeaders = {
  WebhookId: text(
    'webhook-id',
    'The same in every attempt and replay. Ignore a message whose id you have processed.',
    'evt_42',
  ),
  WebhookTimestamp: text(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970. Reject a message that is more than five minutes off.',
    '1769851800',
  ),
  WebhookSignature: text(
    'webhook-signature',
    'One or two values, separated by a space: `v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. ' +
      'The key is the base64-decoded part of the secret after `whsec_`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const parameters = Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));

const messageDescription =
  'Sent to each webhook of this type, at least once and usually in the order of the events. A message that is not ' +
  'accepted within 8 seconds is sent again, eight times in about 30 hours.';

/** Describes the message about each event type, for the `webhooks` of the document. */
function webhookPaths(): ZodOpenApiPathsObject {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: messageOf(type) }]));
}

function messageOf(type: EventType) {
  const words = type.replaceAll(/[._]/g, ' ');
  const event = eventSchemas[type];
  const content = contentFields[type];
  const schema = z.strictObject({
    type: z.literal(type),
    timestamp: timestamp.meta({ description: 'When the event happened.' }),
    // With fields of its own it is no longer the event of the stream, whose schema has a name.
    data:
      content === undefined
        ? event
        : z.strictObject({ ...event.shape, data: event.shape.data.extend(content) }),
  });
  return {
    operationId: `on.${type}`,
    summary: words.charAt(0).toUpperCase() + words.slice(1),
    description: messageDescription,
    tags: ['webhooks'],
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'The message is accepted.' },
      410: { description: 'The receiver wants no more messages. The webhook is deactivated.' },
      default: {
        description: 'The message is not accepted, and sent again later. Redirects are not followed.',
      },
    },
  };
}
