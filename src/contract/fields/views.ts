import { defineNoun } from './field.ts';

/** The lists that views are saved of. */
export const viewLists = ['issues', 'conversations', 'audit'] as const;

export type ViewList = (typeof viewLists)[number];

/** What people see of their views. Beyond the contract. */
export const views = defineNoun({
  id: 'views',
  one: 'view',
  many: 'views',
  event: 'view',
  table: 'saved_views',
  fields: {
    list: { kind: 'word', label: 'List', example: 'issues', words: viewLists },
    name: { kind: 'line', label: 'Name', example: 'My criticals' },
  },
});
