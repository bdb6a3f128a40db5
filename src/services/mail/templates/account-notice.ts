import { type MailTemplate, usefulMinutesOfNotice } from '../message.ts';
import { type Circumstances, circumstancesBlock } from './circumstances.ts';

export interface AccountNotice {
  /** The e-mail that the account had before. */
  readonly email: string;
  /** What changed, as the predicates of sentences: `the password was changed`. */
  readonly changes: readonly string[];
}

/** Returns the notice that an account has changed. */
export function accountNotice({ email, changes }: AccountNotice, circumstances: Circumstances): MailTemplate {
  const [only] = changes;
  const sentences = changes.map((change) => `${change[0]?.toUpperCase()}${change.slice(1)}.`);
  return (site) => ({
    kind: 'account-notice',
    subject:
      changes.length === 1 && only !== undefined
        ? `Your ${site} account: ${only}`
        : `Your ${site} account was changed`,
    body: [
      `Your ${site} account ${email} was changed.`,
      ...sentences,
      circumstancesBlock(circumstances),
      `If you did not expect this, contact an administrator of ${site} now.`,
    ],
    isConfidential: false,
    usefulMinutes: usefulMinutesOfNotice,
  });
}
