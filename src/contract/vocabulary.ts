/** The words of the contract, without schemas: importing this file loads nothing else. */

/** The content type of a problem document. A client that asks for it gets errors as `Problem`, not as `{ error }`. */
export const problemType = 'application/problem+json';

/** The roles of a session, most powerful first (contract section 5). */
export const roles = ['superadmin', 'admin', 'user'] as const;

export type Role = (typeof roles)[number];

/** What a token may do: `intake` only sends data in. */
export const tokenScopes = ['all', 'intake'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** A closed set. Any status may follow any other (contract section 3). */
export const issueStatuses = ['Open', 'In Progress', 'Resolved', 'Closed'] as const;

/** The severities that the interfaces suggest, worst first. Others are accepted too. */
export const severities = ['Critical', 'High', 'Medium', 'Low'] as const;

/** The periods of contract 4.1 and their names. Any other word restricts nothing, like `all`. */
export const issuePeriods = {
  all: 'all time',
  hourly: 'last 24 hours',
  daily: 'last 30 days',
  weekly: 'last 12 weeks',
  monthly: 'last 365 days',
} as const;

export type IssuePeriod = keyof typeof issuePeriods;

/** The contract leaves this set open; the design closes it ("Data"). */
export const conversationStatuses = ['open', 'pending', 'resolved', 'closed'] as const;

/** How a conversation began: by the API, on the contact page, or with a mail. */
export const channels = ['api', 'contact', 'mail'] as const;

export const senderTypes = ['visitor', 'admin'] as const;

export const runStatuses = ['running', 'succeeded', 'failed', 'cancelled'] as const;

export type RunStatus = (typeof runStatuses)[number];

/** The interfaces that a change may come through. `mcp` is an agent, `job` the service itself. */
export const doors = ['http', 'cli', 'tui', 'mcp', 'job'] as const;

export type Door = (typeof doors)[number];

/** Changes that the service and its commands make without a request. They are recorded like those of an operation. */
export const backgroundChanges = [
  'admins.createResetLink',
  'audit.purge',
  'audit.redact',
  'conversations.purge',
  'messages.deliver',
  'secrets.rotate',
  'tokenAlerts.refresh',
  'webhooks.deliver',
] as const;

export type BackgroundChange = (typeof backgroundChanges)[number];

// What a list can be sorted by.

/** How the values of a field are compared: as times, as texts, or by a rank that the database gives each word. */
export type SortKind = 'time' | 'text' | 'rank';

export type Sorts = Readonly<Record<string, SortKind>>;

/** A field to sort by, lowest first, or with `-` before it highest first. */
export type SortOf<List extends Sorts> = `${'' | '-'}${keyof List & string}`;

/** Returns the sort of a list without the parameter. */
export function defaultSort<List extends Sorts>(sorts: List): SortOf<List> {
  return `-${Object.keys(sorts)[0]}` as SortOf<List>;
}

/** Returns every sort of a list, the default first. */
export function sortsOf<List extends Sorts>(sorts: List): readonly SortOf<List>[] {
  return Object.keys(sorts).flatMap((field) => [`-${field}`, field] as SortOf<List>[]);
}

export function sortField(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : sort;
}
