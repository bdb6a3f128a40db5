import { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';
import { anySession } from '../access-rules.ts';
import { type DocumentedError, readOnlyToken } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { success } from '../schemas/fields.ts';
import { rowId } from '../schemas/row-ids.ts';
import { searchParameter } from '../schemas/search.ts';
import { exampleSecret, exampleToken, tokenGrant, tokenName, tokenSchema } from '../schemas/tokens.ts';
import { type Role, roles } from '../vocabulary.ts';

const path = '/api/admin/tokens';
const tokenIdRequired = 'Token ID is required.';
/** A list for people to check, which is answered whole. */
export const maxListedTokens = 1_000;
/** The valid tokens of one owner. */
export const maxOwnTokens = 100;

export const tokenErrors = {
  tooMuch: { code: 'forbidden', text: 'A token can have at most your own role.', param: 'role' },
  /** Strict mode only. */
  strictToken: { code: 'forbidden', text: 'API tokens cannot create or revoke other tokens.' },
  nameTaken: { code: 'conflict', text: 'There is already a token with this name.', param: 'name' },
  tooMany: { code: 'conflict', text: `You have ${maxOwnTokens} tokens already. Revoke one first.` },
} as const satisfies Record<string, DocumentedError>;

/** Returns the error of a role that is above the caller's. */
export function roleAbove(
  own: Role,
  { role }: Readonly<Record<string, unknown>>,
): DocumentedError | undefined {
  const wanted = roles.indexOf(role as Role);
  return wanted !== -1 && wanted < roles.indexOf(own) ? tokenErrors.tooMuch : undefined;
}

/** Beyond the contract, like all below. */
const listTokens = defineOperation({
  id: 'tokens.list',
  summary: 'List your API tokens, valid ones first, then newest first',
  description:
    'Superadmins see the tokens of everybody, and those of the command line, which have no owner. Revoked and expired ' +
    `ones stay in the list as a record. It has at most ${groupDigits(maxListedTokens)}.`,
  method: 'GET',
  path,
  allow: anySession,
  input: z.object({ q: searchParameter("the name, the role and the owner's id and e-mail") }),
  output: z.strictObject({ tokens: z.array(tokenSchema) }),
  failure: 'Failed to load the tokens.',
  example: { output: { tokens: [exampleToken] } },
});

const createToken = defineOperation({
  id: 'tokens.create',
  summary: 'Create an API token and return its secret, which is shown only once',
  description:
    'The token acts as you, with `role` at most: a role that you lose later, it loses too, at once. It ends when your ' +
    'account is deleted or deactivated. Names are unique among the valid tokens of an owner. A token that a token ' +
    'creates has the same owner, expires no later, and is revoked with it. With strict roles, tokens create none.',
  method: 'POST',
  path,
  allow: anySession,
  forbid: roleAbove,
  changes: ['token.created'],
  confidential: true,
  input: z.object({ name: tokenName, ...tokenGrant }),
  output: z.strictObject({
    success: z.literal(true),
    token: tokenSchema,
    secret: z.string().meta({ description: 'For `Authorization: Bearer`.' }),
  }),
  errors: [tokenErrors.tooMuch, tokenErrors.strictToken, tokenErrors.nameTaken, tokenErrors.tooMany],
  failure: 'Failed to create the token.',
  example: {
    input: { name: 'nightly report', role: 'user', expires_days: 90, read_only: true },
    output: { success: true, token: exampleToken, secret: exampleSecret },
  },
});

const revokeToken = defineOperation({
  id: 'tokens.revoke',
  summary: 'Revoke an API token',
  description:
    'It ends on every instance at once, and so do the tokens that it has created. Superadmins may revoke every token, ' +
    'others their own. Any other id succeeds and ends none. A token that may only read can revoke itself only, and so ' +
    'can every token with strict roles.',
  method: 'DELETE',
  path,
  allow: anySession,
  forReadOnly: true,
  changes: ['token.revoked'],
  input: z.object({ id: rowId(tokenIdRequired) }),
  output: success,
  errors: [tokenErrors.strictToken, readOnlyToken],
  failure: 'Failed to revoke the token.',
  example: { input: { id: 7 }, output: { success: true } },
});

export const tokenOperations = [listTokens, createToken, revokeToken] as const;
