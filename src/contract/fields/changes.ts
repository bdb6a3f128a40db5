import { doors } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** What the history of a row says of each field that was changed. Beyond the contract. */
export const history = defineNoun({
  id: 'history',
  one: 'change',
  many: 'changes',
  event: 'change',
  table: 'changes',
  fields: {
    change_id: { kind: 'id', label: 'Change', example: 17 },
    field: { kind: 'key', label: 'Field', example: 'status' },
    before: { kind: 'text', label: 'Before', example: 'Open', nullable: true },
    after: { kind: 'text', label: 'After', example: 'Closed', nullable: true },
    actor: { kind: 'line', label: 'By', example: 'grace@example.com' },
    door: { kind: 'word', label: 'Via', example: 'cli', words: doors },
    at: { kind: 'time', label: 'When', example: '2026-01-31T09:30:00.000Z', sort: 'time' },
  },
});
