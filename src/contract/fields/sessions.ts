import { roles } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** Who is signed in. Beyond the contract. */
export const sessions = defineNoun({
  id: 'sessions',
  one: 'session',
  many: 'sessions',
  event: 'session',
  table: 'sessions',
  fields: {
    id: { kind: 'textId', label: 'Id', example: 'vX0cZ2nJ1m9o3Q5t7w9y1A3C5E7G9I1K3M5O7Q9S1U3', search: true },
    email: { kind: 'line', label: 'E-mail', example: 'grace@example.com', search: true },
    role: { kind: 'word', label: 'Role', example: 'admin', words: roles, filter: 'some' },
    last_seen_at: { kind: 'time', label: 'Last seen', example: '2026-01-31T10:05:00.000Z' },
    created_at: { kind: 'time', label: 'Signed in', example: '2026-01-31T09:30:00.000Z' },
  },
});
