/** Changes that the service and its commands make without a request. They are recorded like those of an operation. */
export const backgroundChanges = [
  'admins.createResetLink',
  'audit.purge',
  'audit.redact',
  'conversations.purge',
  'secrets.rotate',
  'tokenAlerts.refresh',
  'webhooks.deliver',
] as const;

export type BackgroundChange = (typeof backgroundChanges)[number];
