/** The settings that decide how long conversations, events, history and audit records are kept. */
export const retentionKeys: readonly string[] = [
  'audit_retention_days',
  'conversation_retention_days',
  'events_retention_days',
  'history_retention_days',
];
