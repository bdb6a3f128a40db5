/** Where the values of arguments are looked up. `files` are the shell's own business. */
const sources = {
  key: 'setting keys',
  admin: 'admins',
  session: 'signed-in admins',
  category: 'categories',
  severity: 'severities',
  issue: 'issues',
  conversation: 'conversations',
  'from-conversation': 'conversations',
  file: 'files',
} as const;

/** A kind of values that the data has. */
export type Source = Exclude<(typeof sources)[keyof typeof sources], 'files'>;

/**
 * Where the values of an argument or option of that name come from; undefined where anything goes. The name decides,
 * so that a command that takes a `<key>` or an `<admin>` completes it without saying so.
 */
export function sourceOf(name: string): Source | 'files' | undefined {
  return Object.hasOwn(sources, name) ? sources[name as keyof typeof sources] : undefined;
}
