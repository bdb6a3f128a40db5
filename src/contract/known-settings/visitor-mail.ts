import type { Settings } from './settings.ts';

/** Whether replies are sent to visitors by mail: `on`, and nothing else. */
export const visitorMailKey = 'visitor_mail';

export const isVisitorMailOn = ({ [visitorMailKey]: value = '' }: Settings) => value.trim() === 'on';

/** Whether a reply is sent to its visitor, or why not: the setting is off, or the service has no mail server. */
export const visitorMailModes = ['on', 'off', 'no_server'] as const;

export type VisitorMailMode = (typeof visitorMailModes)[number];
