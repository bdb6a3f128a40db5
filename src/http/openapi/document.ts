import { z } from 'zod';
import { type CreateDocumentOptions, createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { type Operation, readsQuery } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import { examplesOf } from './examples.ts';
import { errorSchema, responsesOf } from './responses.ts';

const description = `
The API of the back office: issues, conversations, settings, analytics and admins, and the trail of what is changed, for
signed-in administrators.

Sign in with \`POST /api/admin/session\`, which sets a cookie, or send an API token as \`Authorization: Bearer bo_…\`.
Every answer is JSON, but for the stream of events; every error is \`{ "error": "<text>" }\`. Checks run in this order: session (401), role (403),
body and validation (400), uniqueness (409). No endpoint answers 404: changes to unknown ids succeed. Fields that
an operation does not name are ignored.
`.trim();

const tags: Readonly<Record<string, string>> = {
  issues: 'Reports of what is wrong with the site, and their statistics.',
  conversations: 'What visitors write, and what is answered.',
  messages: 'The messages of a conversation, and the drafts of replies.',
  links: 'Which issues come from which conversations and scraping errors.',
  settings: "Key and value pairs, one's own profile, and the analytics of tokens and scraping.",
  tokenUsage: 'Requests to language models, as scripts report them.',
  scrapingRuns: 'Runs of the scrapers and their errors, as scripts report them.',
  admins: 'The accounts of the back office.',
  sessions: 'Who is signed in.',
  audit: 'Who changed what, when and from where.',
  events: 'What happens, while it happens.',
  webhooks: 'What happens, sent to other services, and what became of each message.',
  session: 'Sign in and out.',
};

/** The OpenAPI 3.1 document of the whole API, made from the registry of operations. */
export function createOpenApiDocument(version: string): object {
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Backoffice API', version, description },
      servers: [{ url: '/', description: 'The service that this document comes from.' }],
      security: [{ session: [] }, { token: [] }],
      tags: [...new Set(operations.map(tagOf))].map((name) => ({ name, description: tags[name] ?? name })),
      paths: pathsOf(operations),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'backoffice',
            description: 'Set by `POST /api/admin/session`. On HTTPS its name is `__Host-backoffice`.',
          },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API token for scripts, made by `backoffice tokens create`.',
          },
        },
        schemas: { Error: errorSchema },
      },
    },
    { override: dropSafeIntegerBounds },
  );
}

/** zod's integers are JavaScript's safe ones, which would stand beside every number and tell a reader nothing. */
const dropSafeIntegerBounds: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

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

/** What browsers send by themselves when a stream of theirs has broken off. */
const lastEventId = z.object({
  'Last-Event-ID': z
    .int()
    .nonnegative()
    .optional()
    .meta({ description: 'The id of the latest event that came.' }),
});

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { id, summary, allow, input, answers } = operation;
  return {
    operationId: id,
    summary,
    tags: [tagOf(operation)],
    ...(allow.to === 'anyone' ? { security: [] } : {}),
    ...(allow.to === 'roles'
      ? { description: `For the role${allow.roles.length > 1 ? 's' : ''} ${allow.roles.join(' and ')}.` }
      : {}),
    ...(readsQuery(operation)
      ? {
          requestParams: {
            query: input as z.ZodObject,
            ...(answers === 'events' ? { header: lastEventId } : {}),
          },
        }
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: input, ...examplesOf(operation, 'input') } },
          },
        }),
    responses: responsesOf(operation),
  };
}
