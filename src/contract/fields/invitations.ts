import { roles } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** The links that create an account each. Beyond the contract. */
export const invitations = defineNoun({
  id: 'invitations',
  one: 'open invitation',
  many: 'invitations',
  event: 'invitation',
  table: 'invitations',
  fields: {
    id: { kind: 'id', label: 'Id', example: 3 },
    email: { kind: 'line', label: 'E-mail', example: 'grace@example.com' },
    role: { kind: 'word', label: 'Role', example: 'admin', words: roles },
    invited_by: { kind: 'line', label: 'Invited by', example: 'ada@example.com' },
    created_at: { kind: 'time', label: 'Sent', example: '2026-01-31T09:30:00.000Z' },
    expires_at: { kind: 'time', label: 'Expires', example: '2026-02-07T09:30:00.000Z' },
  },
});
