import type { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { type DocumentedError, unauthorized } from '../contract/errors.ts';
import { operations } from '../contract/index.ts';
import { type Operation, readsQuery } from '../contract/operation.ts';
import { statusOf } from './responses.ts';

const errorReference = { $ref: '#/components/schemas/Error' };

const description = `
The API of the back office: issues, conversations, settings and admins, for signed-in administrators.

Sign in with \`POST /api/admin/session\`, which sets a cookie, or send an API token as \`Authorization: Bearer bo_…\`.
Every answer is JSON, every error is \`{ "error": "<text>" }\`. Checks run in this order: session (401), role (403),
body and validation (400), uniqueness (409). No endpoint answers 404: changes to unknown ids succeed.
`.trim();

/** The OpenAPI 3.1 document of the whole API, made from the registry of operations. */
export function createOpenApiDocument(version: string): object {
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Backoffice', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/' }],
      security: [{ session: [] }, { token: [] }],
      tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
      paths: pathsOf(operations),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'backoffice',
            description: '`__Host-backoffice` on HTTPS.',
          },
          token: { type: 'http', scheme: 'bearer', description: 'Made by `backoffice tokens create`.' },
        },
        schemas: {
          Error: {
            type: 'object',
            required: ['error'],
            properties: { error: { type: 'string' } },
            additionalProperties: false,
          },
        },
      },
    },
    // The stored answers allow no other fields; requests may bring them, and they are ignored.
    { allowEmptySchema: { unknown: true } },
  );
}

function pathsOf(all: readonly Operation[]) {
  const byPath = Map.groupBy(all, (operation) => operation.path);
  return Object.fromEntries(
    [...byPath].map(([path, there]) => [
      path,
      Object.fromEntries(there.map((operation) => [operation.method.toLowerCase(), describe(operation)])),
    ]),
  );
}

function tagOf({ id }: Pick<Operation, 'id'>): string {
  return id.slice(0, id.indexOf('.'));
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { id, summary, allow, input, example } = operation;
  return {
    operationId: id,
    summary,
    tags: [tagOf(operation)],
    ...(allow.to === 'anyone' ? { security: [] } : {}),
    ...(allow.to === 'roles' ? { description: `For the roles ${allow.roles.join(' and ')}.` } : {}),
    ...(readsQuery(operation)
      ? { requestParams: { query: input as z.ZodObject } }
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: input,
                ...(example?.input === undefined ? {} : { example: example.input }),
              },
            },
          },
        }),
    responses: responsesOf(operation),
  };
}

function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const { output, example } = operation;
  const byStatus = Map.groupBy(errorsOf(operation), (error) => statusOf[error.code]);
  return {
    200: {
      description: 'Done.',
      content: {
        'application/json': { schema: output, ...(example === undefined ? {} : { example: example.output }) },
      },
    },
    ...Object.fromEntries([...byStatus].map(([status, errors]) => [status, errorResponse(errors)])),
  };
}

/** Every error of an operation: those of its access and of its input, and its 500. */
function errorsOf({ allow, errors = [], failure }: Operation): DocumentedError[] {
  return [
    ...(allow.to === 'anyone' ? [] : [unauthorized]),
    ...(allow.to === 'roles' ? [allow.otherwise] : []),
    ...errors,
    { code: 'failed', text: failure ?? 'The database is unavailable.' },
  ];
}

function errorResponse(errors: readonly DocumentedError[]) {
  return {
    description: errors.map(({ text }) => text).join(' | '),
    content: {
      'application/json': {
        schema: errorReference,
        examples: Object.fromEntries(
          errors.map(({ text }, index) => [`error${index + 1}`, { summary: text, value: { error: text } }]),
        ),
      },
    },
  };
}
