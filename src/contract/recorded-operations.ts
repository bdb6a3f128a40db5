/**
 * What the service and its commands do although no request asks for it. It is recorded as an operation is, under a name
 * of the same form.
 */
export const unaskedOperations = [
  'audit.purge',
  'tokenAlerts.refresh',
  'tokens.create',
  'tokens.revoke',
  'webhooks.deliver',
] as const;

/** The names that changes are recorded under: of every operation that declares changes, and those above. */
export const recordedOperations = [
  'issues.create',
  'issues.changeStatus',
  'conversations.create',
  'conversations.changeStatus',
  'conversations.delete',
  'conversations.read',
  'messages.create',
  'messages.updateDraft',
  'links.create',
  'links.delete',
  'settings.update',
  'settings.delete',
  'tokenUsage.record',
  'scrapingRuns.record',
  'admins.create',
  'admins.update',
  'admins.delete',
  'admins.changeActivity',
  'sessions.revoke',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.replay',
  'session.create',
  'session.delete',
  ...unaskedOperations,
] as const;

export type UnaskedOperation = (typeof unaskedOperations)[number];
