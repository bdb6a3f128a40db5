// Shorter names of commands, the same for all nouns, and the short forms of options. `--help` names those of a command.

/** The short names of the verbs. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  show: ['view'],
  create: ['new'],
  delete: ['rm'],
  remove: ['rm'],
  revoke: ['rm'],
  unset: ['rm'],
};

/** The singular of each noun, and its usual abbreviation. */
const nouns: Readonly<Record<string, readonly string[]>> = {
  issues: ['issue'],
  conversations: ['conversation', 'conv'],
  changes: ['change'],
  labels: ['label'],
  comments: ['comment'],
  'saved-replies': ['saved-reply'],
  settings: ['setting'],
  admins: ['admin'],
  context: ['contexts', 'ctx'],
  sessions: ['session'],
  invitations: ['invitation'],
  tokens: ['token'],
  visitors: ['visitor'],
  secrets: ['secret'],
  events: ['event'],
  webhooks: ['webhook'],
  prices: ['price'],
  budget: ['budgets'],
};

export const shortOptions: Readonly<Record<string, string>> = {
  '--assignee': '-a',
  '--dry-run': '-n',
  '--limit': '-L',
  '--quiet': '-q',
  '--search': '-S',
  '--status': '-s',
  '--web': '-w',
  '--yes': '-y',
};

/** Returns the name of the top-level command that a word calls; the word itself if it is none. */
export function nounOf(word: string): string {
  return Object.keys(nouns).find((noun) => nouns[noun]?.includes(word)) ?? word;
}

/** Returns the other names of a noun or a verb. */
export const aliasesOf = (name: string): readonly string[] => [
  ...(verbs[name] ?? []),
  ...(nouns[name] ?? []),
];
