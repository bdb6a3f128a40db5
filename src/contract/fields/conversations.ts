import { conversationStatuses } from '../vocabulary.ts';
import { defineNoun } from './field.ts';

/** Contract section 2. The assignee is beyond the contract. */
export const conversations = defineNoun({
  id: 'conversations',
  one: 'conversation',
  many: 'conversations',
  event: 'conversation',
  table: 'conversations',
  about: 'What visitors write to the website, and what admins answer.',
  lead: ['status', 'updated_at'],
  fields: {
    id: { kind: 'textId', label: 'Id', example: 'conv_1769851800000_k3x9a2b' },
    visitor_email: {
      kind: 'text',
      label: 'Visitor e-mail',
      example: 'ada@example.com',
      search: true,
      event: true,
      personal: 'is',
    },
    visitor_name: {
      kind: 'text',
      label: 'Visitor name',
      example: 'Ada Byron',
      search: true,
      personal: 'is',
    },
    subject: {
      kind: 'text',
      label: 'Subject',
      example: 'An invoice for March',
      create: { or: '' },
      search: true,
      event: true,
      personal: 'mentions',
    },
    status: {
      kind: 'word',
      words: conversationStatuses,
      // An operator may write other statuses by SQL.
      inRows: 'any',
      label: 'Status',
      example: 'open',
      initial: 'open',
      edit: 'many',
      filter: 'some',
      wrong: `Invalid status. Must be one of: ${conversationStatuses.join(', ')}`,
      event: true,
    },
    created_at: { kind: 'time', label: 'Created', example: '2026-01-31T09:30:00.000Z', sort: 'time' },
    updated_at: { kind: 'time', label: 'Updated', example: '2026-01-31T09:30:00.000Z', sort: 'time' },
    last_message: {
      kind: 'text',
      label: 'Last message',
      example: 'Could you send it again?',
      nullable: true,
      isComputed: true,
    },
    last_message_at: {
      kind: 'time',
      label: 'Last message at',
      example: '2026-01-31T09:30:00.000Z',
      nullable: true,
      isComputed: true,
    },
    unread_count: { kind: 'count', label: 'Unread', example: 1, isComputed: true },
    assignee_id: {
      kind: 'admin',
      nullable: true,
      label: 'Assignee',
      example: 'admin_1769851800000_k3x9a2',
      edit: 'many',
      filter: 'one',
    },
  },
});
