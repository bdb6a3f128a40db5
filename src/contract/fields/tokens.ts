import { roles, tokenScopes } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** Bearer tokens of scripts. Beyond the contract. */
export const tokens = defineNoun({
  id: 'tokens',
  one: 'token',
  many: 'tokens',
  event: 'token',
  table: 'api_tokens',
  fields: {
    id: { kind: 'id', label: 'Id', example: 7 },
    name: { kind: 'line', label: 'Name', example: 'nightly report', create: 'required', search: true },
    role: { kind: 'word', label: 'Role', example: 'user', words: roles, create: { or: 'user' } },
    scope: { kind: 'word', label: 'Scope', example: 'all', words: tokenScopes, create: { or: 'all' } },
    state: { kind: 'word', label: 'State', example: 'valid', words: ['valid', 'expired', 'revoked'] },
    created_by: { kind: 'line', label: 'Created by', example: 'ada@example.com' },
  },
});
