import { type MailContent, usefulMinutesOfNotice } from '../message.ts';
import { readableTime } from './circumstances.ts';

export interface NewSignIn {
  /** The e-mail of the account. */
  readonly email: string;
  /** The network address. */
  readonly address: string;
  /** The browser and system, if known. */
  readonly device?: string | undefined;
  readonly at?: Date;
}

/** Returns the notice of a sign-in from a network that the account has not been used from lately. */
export function signInNotice({ email, address, device, at = new Date() }: NewSignIn): MailContent {
  return {
    kind: 'sign-in-notice',
    subject: 'New sign-in to your Backoffice account',
    body: [
      `Someone signed in to your Backoffice account ${email} from a network that it was not used from lately.`,
      {
        facts: [
          ['When', readableTime(at)],
          ['From', address],
          ...(device === undefined ? [] : [['Device', device] as const]),
        ],
      },
      'If this was you, there is nothing to do.',
      'If it was not you, change your password now. That ends all sessions of the account.',
    ],
    isConfidential: false,
    usefulMinutes: usefulMinutesOfNotice,
  };
}
