import type { Role } from '../../contract/vocabulary.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Actor } from '../call/actor.ts';
import type { Mail } from './mail.ts';
import { type MailBody, type MailContent, type MailTemplate, readableTime } from './message.ts';

const minutesOfDay = 24 * 60;

/** Who did something, and from where. A call's context has both. */
interface Circumstances {
  readonly actor: Pick<Actor, 'kind' | 'name'>;
  /** The network address, or empty. */
  readonly address: string;
}

/** Returns the lines that say who did it, when and from which address. */
function circumstancesBlock({ actor, address }: Circumstances): MailBody[number] {
  return { facts: [['By', describeActor(actor)], ['When', readableTime(new Date())], ...fromFacts(address)] };
}

const fromFacts = (address: string): [string, string][] => (address === '' ? [] : [['From', address]]);

function describeActor({ kind, name }: Circumstances['actor']): string {
  if (kind === 'token') return `the API token “${name.replace(/^token:/, '')}”`;
  if (kind === 'operator') return `${name}, on the server's command line`;
  return name;
}

/** Returns a mail that is of use for a day, and holds no secret. */
const notice = (subject: string, body: MailBody): MailContent => ({
  kind: 'account-notice',
  subject,
  body,
  isConfidential: false,
  usefulMinutes: minutesOfDay,
});

/** What sends a notice, and what it tells besides what happened. The context of a call has it. */
interface NoticeContext extends Circumstances {
  readonly mail: Mail;
}

/**
 * Tells an account, at the address before the change, that it has changed, by a mail in the transaction of the change.
 * Each change is the predicate of a sentence: `the password was changed`.
 */
export async function sendAccountNotice(
  context: NoticeContext,
  tx: Database,
  email: string,
  changes: readonly string[],
): Promise<void> {
  if (changes.length === 0) return;
  const what = changes.length === 1 ? `: ${changes[0]}` : ' was changed';
  const sentences = changes.map((change) => `${change[0]?.toUpperCase()}${change.slice(1)}.`);
  await context.mail.send(tx, email, (site) =>
    notice(`Your ${site} account${what}`, [
      `Your ${site} account ${email} was changed.`,
      ...sentences,
      circumstancesBlock(context),
      `If you did not expect this, contact an administrator of ${site} now.`,
    ]),
  );
}

/** Tells an account that it has a new API token. Somebody with a stolen session could create one to outlast it. */
export async function sendTokenNotice(
  context: NoticeContext,
  tx: Database,
  email: string,
  name: string,
): Promise<void> {
  await sendAccountNotice(context, tx, email, [`the API token “${name}” was created`]);
}

/** Returns what an update changed of how an account is used. A new username is not worth a mail. */
export function changesOfAccount(
  before: Readonly<Record<'email' | 'role', string>>,
  after: Readonly<Partial<Record<'email' | 'role', string | undefined>>>,
  hasNewPassword: boolean,
): string[] {
  const { email = before.email, role = before.role } = after;
  return [
    ...(email === before.email ? [] : [`the e-mail address was changed to ${email}`]),
    ...(role === before.role ? [] : [`the role was changed from ${before.role} to ${role}`]),
    ...(hasNewPassword ? ['the password was changed'] : []),
  ];
}

/** Returns the notice that an account was signed in to with a new device or from a new network. */
export function newSignInNotice(email: string, device: string, circumstances: Circumstances): MailTemplate {
  return (site) =>
    notice(`Your ${site} account: new sign-in`, [
      `Somebody signed in to your ${site} account ${email} with a device or from a network that it has not used lately: ${device}.`,
      circumstancesBlock(circumstances),
      'If this was not you, change your password and end your other sessions now.',
    ]);
}

interface InvitationToSend {
  readonly role: Role;
  readonly link: string;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

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

interface ResetToSend {
  readonly email: string;
  readonly link: string;
  readonly minutes: number;
  /** Where the request came from, or empty, and when. */
  readonly address: string;
  readonly at: Date;
}

/** Returns the mail with the link to set a new password. */
export function passwordResetMail({ email, link, minutes, address, at }: ResetToSend): MailTemplate {
  return (site) => ({
    kind: 'password-reset',
    subject: `Set a new password for ${site}`,
    body: [
      `Someone asked for a link to set a new password for your ${site} account ${email}.`,
      { link, label: 'Set a new password' },
      `The link works once, for ${minutes} minutes. A new password ends all sessions of the account.`,
      { facts: [['Asked for', readableTime(at)], ...fromFacts(address)] },
      'If this was not you, there is nothing to do: your password stays as it is.',
    ],
    isConfidential: true,
    usefulMinutes: minutes,
  });
}

/** Returns the mail with the one-time code of a sign-in. */
export function signInCodeMail({ code, minutes }: { code: string; minutes: number }): MailTemplate {
  return (site) => ({
    kind: 'sign-in-code',
    subject: `Your sign-in code for ${site}`,
    body: [
      `Enter this code to sign in to ${site}:`,
      { code },
      `The code works once, for ${minutes} minutes. Do not give it to anyone: we never ask for it.`,
      'If you are not signing in, someone knows your password. Change it now.',
    ],
    isConfidential: true,
    usefulMinutes: minutes,
  });
}
