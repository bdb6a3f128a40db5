import type { Role } from '../../../contract/vocabulary.ts';
import type { MailTemplate } from '../message.ts';
import { readableTime } from './circumstances.ts';

export interface InvitationToSend {
  readonly role: Role;
  readonly link: string;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

const minutesOfDay = 24 * 60;

/** Returns the mail with the link of an invitation. */
export function invitationMail({ role, link, invitedBy, expiresAt }: InvitationToSend): MailTemplate {
  const article = role === 'admin' ? 'an' : 'a';
  return (site) => ({
    kind: 'invitation',
    subject: `Your invitation to ${site}`,
    body: [
      `${invitedBy} invites you to ${site}, as ${article} ${role}.`,
      { link, label: 'Accept the invitation' },
      `The link works once, until ${readableTime(expiresAt)}.`,
      'If you do not know who invites you, ignore this mail.',
    ],
    isConfidential: true,
    usefulMinutes: minutesOfDay,
  });
}
