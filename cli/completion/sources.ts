/** Where the values of an argument come from, by its name. The shell completes `files` itself. */
const sources = {
  key: 'setting keys',
  admin: 'admins',
  assignee: 'assignees',
  'set-assignee': 'assignees',
  to: 'assignees',
  session: 'signed-in admins',
  category: 'categories',
  'set-category': 'categories',
  severity: 'severities',
  'set-severity': 'severities',
  issue: 'issues',
  conversation: 'conversations',
  'from-conversation': 'conversations',
  context: 'contexts',
  shortcut: 'saved replies',
  saved: 'saved replies',
  file: 'files',
} as const;

/** A kind of values that is looked up in the data. */
export type Source = Exclude<(typeof sources)[keyof typeof sources], 'files'>;

/**
 * Returns where the values of an argument or option come from; undefined if it takes any text. The name decides, so a
 * command that takes a `<key>` or an `<admin>` needs no declaration.
 */
export function sourceOf(name: string): Source | 'files' | undefined {
  return Object.hasOwn(sources, name) ? sources[name as keyof typeof sources] : undefined;
}
