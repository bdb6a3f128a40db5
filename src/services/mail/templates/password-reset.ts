import type { MailTemplate } from '../message.ts';
import { readableTime } from './circumstances.ts';

export interface PasswordReset {
  /** The e-mail of the account. */
  readonly email: string;
  readonly link: string;
  readonly minutes: number;
  /** The network address that the request came from, or empty. */
  readonly address: string;
  /** When it was asked for. */
  readonly at: Date;
}

/** Returns the mail with the link to set a new password. */
export function passwordResetMail(reset: PasswordReset): MailTemplate {
  const { email, link, minutes, address, at } = reset;
  return (site) => ({
    kind: 'password-reset',
    subject: `Set a new password for ${site}`,
    body: [
      `Someone asked for a link to set a new password for your ${site} account ${email}.`,
      { link, label: 'Set a new password' },
      `The link works once, for ${minutes} minutes. A new password ends all sessions of the account.`,
      {
        facts: [['Asked for', readableTime(at)], ...(address === '' ? [] : [['From', address] as const])],
      },
      'If this was not you, there is nothing to do: your password stays as it is.',
    ],
    isConfidential: true,
    usefulMinutes: minutes,
  });
}
