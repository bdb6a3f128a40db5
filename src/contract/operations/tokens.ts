import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { conflict, type DocumentedError, forbidden, invalidField, readOnlyToken } from '../errors.ts';
import { anySession, defineOperation, roleSchema } from '../operation.ts';
import { atMost, plainLine } from '../schemas/bounds.ts';
import { optional, rowWithExample, shownAs, success, timestamp } from '../schemas/fields.ts';
import { searchParameter } from '../schemas/filters.ts';
import { rowId } from '../schemas/row-ids.ts';
import { type Role, roles, tokenScopes } from '../vocabulary.ts';

const maxNameLength = 100;
const maxDays = 36_500;
const defaultDays = 90;

/** A line of text that is not blank. */
const namePattern =
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$';

const nameRequired = 'name is required.';
const wrongDays = `expires_days must be a whole number from 1 to ${groupDigits(maxDays)}, or null.`;

/** Requires the name of a token, which is trimmed. */
export const tokenName = plainLine(
  atMost(z.string({ error: nameRequired }).trim().normalize().min(1, { error: nameRequired }), maxNameLength),
  'name',
).meta(shownAs({ type: 'string', pattern: namePattern, maxLength: maxNameLength }));

/** What a token may do, and for how long. */
export const tokenGrant = {
  role: optional(z.enum(roles, { error: `role must be one of: ${roles.join(', ')}.` }))
    .transform((role) => role ?? 'user')
    .meta(shownAs({ type: 'string', enum: roles, default: 'user', description: 'At most your own.' })),
  expires_days: z
    .int({ error: wrongDays })
    .min(1, { error: wrongDays })
    .max(maxDays, { error: wrongDays })
    .nullable()
    .optional()
    .transform((days) => (days === undefined ? defaultDays : days))
    .meta(
      shownAs({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: maxDays,
        default: defaultDays,
        description: 'Days until it expires, or null for never.',
      }),
    ),
  read_only: optional(z.boolean({ error: 'read_only must be true or false.' }))
    .transform((only) => only ?? false)
    .meta(
      shownAs({
        type: 'boolean',
        default: false,
        description: 'Whether it may only read, by `GET` requests.',
      }),
    ),
};

const tokenScope = optional(
  z.enum(tokenScopes, { error: `scope must be one of: ${tokenScopes.join(', ')}.` }),
)
  .transform((scope) => scope ?? 'all')
  .meta(
    shownAs({
      type: 'string',
      enum: tokenScopes,
      default: 'all',
      description:
        '`intake`: it may only create issues, conversations, messages of visitors, token usage and scraping runs.',
    }),
  );

export const { schema: tokenSchema, example: exampleToken } = rowWithExample('ApiToken', {
  id: [z.int(), 7],
  name: [z.string(), 'nightly report'],
  role: [roleSchema.describe("What it may do now: never more than its owner's role."), 'user'],
  read_only: [z.boolean(), true],
  scope: [z.enum(tokenScopes).optional().describe('Absent if it is `all`.'), undefined],
  owner: [
    z
      .strictObject({ id: z.string(), email: z.string().nullable() })
      .nullable()
      .describe('The admin that it acts as. Null for a token of the command line.'),
    { id: 'admin_1769851800000_k3x9a2', email: 'grace@example.com' },
  ],
  state: [z.enum(['valid', 'expired', 'revoked']), 'valid'],
  created_by: [z.string(), 'grace@example.com'],
  created_at: [timestamp, '2026-01-31T09:30:00.000Z'],
  expires_at: [timestamp.nullable().describe('Null if it does not expire.'), '2026-05-01T09:30:00.000Z'],
  last_used_at: [timestamp.nullable().describe('To the minute.'), null],
  revoked_at: [timestamp.nullable(), null],
});

const exampleIntakeToken = {
  ...exampleToken,
  id: 8,
  name: 'website',
  scope: 'intake' as const,
  read_only: false,
  expires_at: null,
};

export const exampleSecret = 'bo_hG2mJ0qkT3yQ7cO2nM5vX8zL1aS4dF6gH9jK0pR3tUw';

const path = '/api/admin/tokens';
/** A list for people to check, which is answered whole. */
export const maxListedTokens = 1_000;
/** The valid tokens of one owner. */
export const maxOwnTokens = 100;

export const tokenErrors = {
  tooMuch: forbidden('A token can have at most your own role.', 'role'),
  /** Strict mode only. */
  strictToken: forbidden('API tokens cannot create or revoke other tokens.'),
  nameTaken: conflict('There is already a token with this name.', 'name'),
  readsNothing: invalidField('read_only', 'A token that only sends data in cannot be read_only.'),
  tooMany: conflict(`You have ${maxOwnTokens} tokens already. Revoke one first.`),
} as const satisfies Record<string, DocumentedError>;

/** Returns the error of a role that is above the caller's. */
export function roleAbove(
  own: Role,
  { role }: Readonly<Record<string, unknown>>,
): DocumentedError | undefined {
  const wanted = roles.indexOf(role as Role);
  return wanted !== -1 && wanted < roles.indexOf(own) ? tokenErrors.tooMuch : undefined;
}

export const tokenOperations = [
  /** Beyond the contract, like all below. */
  defineOperation('GET', path, anySession, {
    id: 'tokens.list',
    summary: 'List your API tokens, valid ones first, then newest first',
    description:
      'Superadmins see the tokens of everybody, and those of the command line, which have no owner. Revoked and expired ' +
      `ones stay in the list as a record. It has at most ${groupDigits(maxListedTokens)}.`,
    input: z.object({ q: searchParameter("the name, the role and the owner's id and e-mail") }),
    output: z.strictObject({ tokens: z.array(tokenSchema) }),
    failure: 'Failed to load the tokens.',
    example: { output: { tokens: [exampleToken] } },
  }),

  defineOperation('POST', path, anySession, {
    id: 'tokens.create',
    summary: 'Create an API token and return its secret, which is shown only once',
    description:
      'The token acts as you, with `role` at most: a role that you lose later, it loses too, at once. It ends when your ' +
      'account is deleted or deactivated. Names are unique among the valid tokens of an owner. A token that a token ' +
      'creates has the same owner, expires no later, and is revoked with it. With strict roles, tokens create none.',
    forbid: roleAbove,
    changes: ['token.created'],
    confidential: true,
    input: z.object({ name: tokenName, ...tokenGrant, scope: tokenScope }),
    output: success.extend({
      token: tokenSchema,
      secret: z.string().describe('For `Authorization: Bearer`.'),
    }),
    errors: [
      tokenErrors.tooMuch,
      tokenErrors.strictToken,
      tokenErrors.readsNothing,
      tokenErrors.nameTaken,
      tokenErrors.tooMany,
    ],
    failure: 'Failed to create the token.',
    example: {
      input: { name: 'nightly report', role: 'user', expires_days: 90, read_only: true },
      output: { success: true, token: exampleToken, secret: exampleSecret },
    },
    otherExamples: {
      'For a website that only sends data in': {
        input: { name: 'website', scope: 'intake', expires_days: null },
        output: { success: true, token: exampleIntakeToken, secret: exampleSecret },
      },
    },
  }),

  defineOperation('DELETE', path, anySession, {
    id: 'tokens.revoke',
    summary: 'Revoke an API token',
    description:
      'It ends on every instance at once, and so do the tokens that it has created. Superadmins may revoke every token, ' +
      'others their own. Any other id succeeds and ends none. A token that may only read can revoke itself only, and so ' +
      'can every token with strict roles.',
    forReadOnly: true,
    changes: ['token.revoked'],
    input: z.object({ id: rowId('Token ID is required.') }),
    errors: [tokenErrors.strictToken, readOnlyToken],
    failure: 'Failed to revoke the token.',
    example: { input: { id: 7 } },
  }),
] as const;
