/** The words of the contract, and nothing else: what asks only for these needs no schema. */

/** The roles of a session, the most powerful first (contract section 5). */
export const roles = ['superadmin', 'admin', 'user'] as const;

export type Role = (typeof roles)[number];

/** Contract section 3: the set is closed, and any status may follow any other. */
export const issueStatuses = ['Open', 'In Progress', 'Resolved', 'Closed'] as const;

export type IssueStatus = (typeof issueStatuses)[number];

/** What the interfaces suggest, the worst first; any other severity is taken too. */
export const severities = ['Critical', 'High', 'Medium', 'Low'] as const;

/** The periods of contract 4.1, and how they are said; any other word restricts nothing, as `all` does. */
export const issuePeriods = {
  all: 'all time',
  hourly: 'last 24 hours',
  daily: 'last 30 days',
  weekly: 'last 12 weeks',
  monthly: 'last 365 days',
} as const;

export type IssuePeriod = keyof typeof issuePeriods;

/** How contract 4.1 labels the ages of issues, from the youngest to the oldest. */
export const issueAges = ['Last Hour', 'Last 24h', 'Last 7 Days', 'Older'] as const;

/** Design, "Data". The contract leaves the set open. */
export const conversationStatuses = ['open', 'pending', 'resolved', 'closed'] as const;

/** Contract section 2: whose message it is. */
export const senderTypes = ['visitor', 'admin'] as const;

/** How far a scraping run has come. */
export const runStatuses = ['running', 'succeeded', 'failed', 'cancelled'] as const;

/** Which door a change may come through; `job` is what the service does by itself. */
export const doors = ['http', 'cli', 'tui', 'job'] as const;

export type Door = (typeof doors)[number];

/**
 * What happens in the service, as those who follow it live, by webhook or in the audit trail read it: a noun and a
 * past participle. An operation that changes data declares which of them it causes.
 */
export const eventTypes = [
  'issue.created',
  'issue.updated',
  'conversation.created',
  'conversation.updated',
  'conversation.deleted',
  'message.created',
  'message.updated',
  'link.created',
  'link.deleted',
  'setting.updated',
  'setting.deleted',
  'admin.created',
  'admin.updated',
  'admin.deleted',
  'session.started',
  'session.ended',
  'token.created',
  'token.revoked',
  'token_usage.recorded',
  'token_alert.raised',
  'token_alert.resolved',
  'scraping_run.recorded',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.tested',
  'webhook.replayed',
  'audit.purged',
] as const;

export type EventType = (typeof eventTypes)[number];
