import type { ActionId } from './actions.ts';

type ScopeOf<Id extends string> = Id extends `${infer Scope}.${string}` ? Scope : never;
export type Scope = ScopeOf<ActionId>;

export const scopeTitles: Readonly<Record<Scope, string>> = {
  everywhere: 'Everywhere',
  global: 'Screens',
  list: 'Lists',
  row: 'Current row',
  search: 'Search',
  overview: 'Overview',
  issues: 'Issues',
  charts: 'Charts',
  conversations: 'Conversations',
  talk: 'Conversation',
  thread: 'Open conversation',
  settings: 'Settings',
  admins: 'Admins',
  usage: 'Usage',
  errors: 'Scraping errors',
  audit: 'Audit',
  help: 'Help',
  log: 'Log of this session',
  confirm: 'Confirmation',
  choice: 'Choice',
  comments: 'Comments',
  views: 'Views',
  columns: 'Columns',
  picker: 'Search and choose',
  palette: 'Commands',
  filter: 'Filter',
  form: 'Form',
  editor: 'Text area',
  compose: 'Long texts',
  reply: 'Reply',
  text: 'Text',
};

/** The scopes that are active together, the most specific first. No key has two actions within a chain. */
export const chains = {
  overview: ['overview', 'list', 'global', 'everywhere'],
  issues: ['issues', 'list', 'row', 'search', 'global', 'everywhere'],
  charts: ['charts', 'list', 'global', 'everywhere'],
  conversations: ['conversations', 'talk', 'list', 'row', 'search', 'global', 'everywhere'],
  thread: ['thread', 'talk', 'list', 'row', 'global', 'everywhere'],
  settings: ['settings', 'list', 'row', 'search', 'global', 'everywhere'],
  admins: ['admins', 'list', 'row', 'search', 'global', 'everywhere'],
  usage: ['usage', 'list', 'global', 'everywhere'],
  errors: ['errors', 'usage', 'list', 'row', 'global', 'everywhere'],
  audit: ['audit', 'list', 'row', 'search', 'global', 'everywhere'],
  help: ['help', 'text', 'everywhere'],
  log: ['log', 'list', 'everywhere'],
  confirm: ['confirm', 'everywhere'],
  choice: ['choice', 'list', 'everywhere'],
  comments: ['comments', 'list', 'everywhere'],
  views: ['views', 'list', 'everywhere'],
  columns: ['columns', 'list', 'everywhere'],
  picker: ['picker', 'text', 'everywhere'],
  palette: ['palette', 'text', 'everywhere'],
  filter: ['filter', 'text', 'everywhere'],
  form: ['form', 'text', 'everywhere'],
  /** In a field of several lines, up, down and Enter act within the field. */
  editor: ['editor', 'compose', 'text', 'everywhere'],
  reply: ['editor', 'reply', 'compose', 'text', 'everywhere'],
} as const satisfies Record<string, readonly Scope[]>;

export type Chain = keyof typeof chains;

/** Returns the scope of an action. */
export function scopeOf(id: ActionId): Scope {
  return id.slice(0, id.indexOf('.')) as Scope;
}
