import { defineNoun } from './field.ts';

/** What people see of the labels of issues and conversations. Beyond the contract. */
export const labels = defineNoun({
  id: 'labels',
  one: 'label',
  many: 'labels',
  event: 'label',
  table: 'labels',
  fields: {
    name: { kind: 'line', label: 'Label', example: 'billing' },
    issues: { kind: 'count', label: 'Issues', example: 3 },
    conversations: { kind: 'count', label: 'Conversations', example: 1 },
  },
});
