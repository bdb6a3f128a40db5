import { eventTypes } from '../event-types.ts';
import { doors } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** What the audit trail says of each change. Beyond the contract. */
export const auditRecords = defineNoun({
  id: 'audit',
  one: 'audit record',
  many: 'audit records',
  event: 'audit',
  table: 'audit_records',
  fields: {
    id: { kind: 'id', label: 'Id', example: 42 },
    created_at: { kind: 'time', label: 'When', example: '2026-01-31T09:30:00.000Z', sort: 'time' },
    actor_kind: { kind: 'line', label: 'Kind of actor', example: 'admin' },
    actor_name: { kind: 'line', label: 'Who', example: 'grace@example.com' },
    door: { kind: 'word', label: 'Via', example: 'http', words: doors, filter: 'some' },
    address: { kind: 'line', label: 'From', example: '203.0.113.7' },
    operation: { kind: 'line', label: 'Operation', example: 'issues.changeStatus' },
    event: {
      kind: 'word',
      label: 'Event',
      example: 'issue.updated',
      words: eventTypes,
      filter: 'some',
      search: true,
    },
    subject_id: { kind: 'line', label: 'On', example: '7', nullable: true },
  },
});
