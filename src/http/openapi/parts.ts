import { z } from 'zod';
import type { ZodOpenApiHeadersObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Operation } from '../../contract/operation.ts';
import type { OperationId } from '../../contract/registry.ts';

const etag = { ETag: { $ref: '#/components/headers/ETag' } };
const link = { Link: { $ref: '#/components/headers/Link' } };
/** Every response has this header. */
export const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

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

/** Returns the examples of an operation's input or output: a single one as `example`, several by name. */
export function examplesOf({ example, otherExamples = {} }: Operation, side: 'input' | 'output') {
  const others = Object.entries(otherExamples).filter(([, other]) => other[side] !== undefined);
  const main = example?.[side];
  if (main === undefined) return {};
  if (others.length === 0) return { example: main };
  return {
    examples: named([
      ['Example', main],
      ...others.map(([title, other]): [string, unknown] => [title, other[side]]),
    ]),
  };
}

/** Returns OpenAPI's map of examples, with their titles in kebab case as keys. */
export function named(values: readonly (readonly [title: string, value: unknown])[]) {
  return Object.fromEntries(
    values.map(([title, value]) => [
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, ''),
      { summary: title, value },
    ]),
  );
}

/** Headers of responses that several operations have, by the name of their component. */
export const responseHeaders = {
  RequestId: {
    description:
      'Identifies the request in the log. A proxy may choose the id: an `X-Request-Id` of 8 to 64 characters of ' +
      '`A-Za-z0-9_.-` in the request is kept.',
    required: true,
    schema: { type: 'string' as const, examples: ['1b4e28ba-2fa1-4d2b-883f-0016d3cca427'] },
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    required: true,
    schema: { type: 'integer' as const, minimum: 1 },
  },
  Allow: {
    description: 'The methods of the path.',
    required: true,
    schema: { type: 'string' as const, examples: ['GET, HEAD, POST'] },
  },
  ETag: {
    description: 'The version of the answer. Send it as `If-None-Match` to learn whether it has changed.',
    required: true,
    schema: { type: 'string' as const, examples: ['W/"mJcM1uO0zM9bqUo4rJb0Xw"'] },
  },
  Link: {
    description:
      'Leads to the next page, with `rel="next"`. Relative to the URL of the request. Absent if there is no next page.',
    schema: { type: 'string' as const, examples: ['<?limit=20&cursor=WyIy>; rel="next"'] },
  },
};

/** The nouns of the operations. */
type Tag = OperationId extends `${infer Noun}.${string}` ? Noun : never;

const descriptions: Readonly<Record<Tag, string>> = {
  issues: 'Reports of problems with the site, and their statistics.',
  conversations: 'Conversations with visitors.',
  mail: 'Takes in the mails of visitors.',
  messages: 'The messages of a conversation, and drafts of replies.',
  changes: 'Undoing changes of issues and conversations.',
  labels: "Words of the team's own for issues and conversations.",
  links: 'Links from issues to the conversations and scraping errors that caused them.',
  comments: 'Internal notes of the team on issues and conversations. Visitors never see them.',
  savedReplies: 'Texts that the team often sends, with placeholders.',
  views: 'Filters, orders and columns of lists with names. Each account has its own.',
  settings: "Key-value settings, the caller's profile, and token and scraping analytics.",
  connect: 'What the website has sent so far.',
  exampleData: 'Rows that `backoffice seed` has made to try the service with.',
  tokenUsage: 'Requests to language models, reported by scripts.',
  scrapingRuns: 'Scraper runs and their errors, reported by scripts.',
  admins: 'Admin accounts.',
  invitations: 'Links that create an account each.',
  passwordReset: 'A new password for who has forgotten theirs, by a link in a mail.',
  sessions: 'The sessions of signed-in admins.',
  tokens: 'API tokens for scripts and programs.',
  audit: 'A record of every change: who, what, when and from where.',
  contact: 'What visitors write on the contact page, and in a form of the website.',
  visitors: 'Everything about a visitor, to export or to erase.',
  events: 'A live stream of changes.',
  webhooks: 'Events sent to other services, and the log of deliveries.',
  session: 'Sign-in and sign-out.',
  factors: 'Second factors of accounts: authenticator apps, passkeys and recovery codes.',
  device: 'Access for programs that a person lets in with a code (RFC 8628).',
};

/** Returns the tag that groups an operation: its noun. */
export function tagOf({ id }: Pick<Operation, 'id'>): Tag {
  return id.slice(0, id.indexOf('.')) as Tag;
}

/** Describes a tag in one sentence. */
export function tagDescription(tag: Tag): string {
  return descriptions[tag];
}
