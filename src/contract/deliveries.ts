import { type VisitorMailMode, visitorMailKey } from './known-settings/visitor-mail.ts';

/** What people read where they write a reply that is not sent. */
export const noVisitorMail: Readonly<Record<Exclude<VisitorMailMode, 'on'>, string>> = {
  off: `Visitors get no e-mail: the setting ${visitorMailKey} is off.`,
  no_server: 'Visitors get no e-mail: SMTP_URL is not set.',
};

/** The states of the mail of a reply. One that is queued may have failed before; it is tried again. */
export const deliveryStates = ['queued', 'sent', 'failed', 'bounced'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

const wordsOf = { sent: 'e-mailed', failed: 'e-mail failed', bounced: 'e-mail bounced' } as const;

/** Says in a few words what became of the mail of a reply. */
export function deliveryWords(state: DeliveryState, error: string | null): string {
  if (state !== 'queued') return wordsOf[state];
  return error === null ? 'e-mail queued' : 'e-mail will be tried again';
}
