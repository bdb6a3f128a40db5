import { defineNoun } from './field.ts';

/** What people see of the team's comments on issues and conversations. Beyond the contract. */
export const comments = defineNoun({
  id: 'comments',
  one: 'comment',
  many: 'comments',
  event: 'comment',
  table: 'comments',
  fields: {
    id: { kind: 'id', label: 'Id', example: 3 },
    content: { kind: 'text', label: 'Text', example: 'Only with Safari 17.' },
    created_at: { kind: 'time', label: 'Created', example: '2026-01-31T09:30:00.000Z' },
    updated_at: { kind: 'time', label: 'Updated', example: '2026-01-31T09:30:00.000Z' },
  },
});
