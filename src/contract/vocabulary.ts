/** The words of the contract, and nothing else: what asks only for these needs no schema. */

/** The roles of a session, the most powerful first (contract section 5). */
export const roles = ['superadmin', 'admin', 'user'] as const;

export type Role = (typeof roles)[number];

/** Contract section 3: the set is closed, and any status may follow any other. */
export const issueStatuses = ['Open', 'In Progress', 'Resolved', 'Closed'] as const;

export type IssueStatus = (typeof issueStatuses)[number];

/** What the interfaces suggest, the worst first; any other severity is taken too. */
export const severities = ['Critical', 'High', 'Medium', 'Low'] as const;

/** Design, "Data". The contract leaves the set open. */
export const conversationStatuses = ['open', 'pending', 'resolved', 'closed'] as const;

/** Contract section 2: whose message it is. */
export const senderTypes = ['visitor', 'admin'] as const;

/** How far a scraping run has come. */
export const runStatuses = ['running', 'succeeded', 'failed', 'cancelled'] as const;
