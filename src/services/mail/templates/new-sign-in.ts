import { type MailTemplate, usefulMinutesOfNotice } from '../message.ts';
import { type Circumstances, circumstancesBlock } from './circumstances.ts';

export interface NewSignIn {
  readonly email: string;
  /** The browser and the system, such as Firefox on Windows. */
  readonly device: string;
}

/** Returns the notice that an account was signed in to with a new device or from a new network. */
export function newSignInNotice({ email, device }: NewSignIn, circumstances: Circumstances): MailTemplate {
  return (site) => ({
    kind: 'account-notice',
    subject: `Your ${site} account: new sign-in`,
    body: [
      `Somebody signed in to your ${site} account ${email} with a device or from a network that it has not used lately: ${device}.`,
      circumstancesBlock(circumstances),
      'If this was not you, change your password and end your other sessions now.',
    ],
    isConfidential: false,
    usefulMinutes: usefulMinutesOfNotice,
  });
}
