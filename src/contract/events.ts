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
  'audit.purged',
] as const;

export type EventType = (typeof eventTypes)[number];
