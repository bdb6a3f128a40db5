import { savedViewSchema, type ViewKind } from '../views/saved-view.ts';
import { conversationSorting } from './sort.ts';

/** The columns that the list of conversations can have, in their order. */
const columns = ['new', 'visitor', 'subject', 'message', 'status', 'assignee', 'age'];

/** The views of the conversations. */
export const conversationViews: ViewKind = {
  rows: 'conversations',
  columns,
  defaultColumns: columns.filter((name) => name !== 'assignee'),
  sorting: conversationSorting,
  builtIn: { All: {}, Unsettled: { filter: 'status:open,pending' } },
  stored: { views: 'conversationViews', first: 'defaultConversationView' },
};

export const savedConversationView = savedViewSchema(conversationViews);
