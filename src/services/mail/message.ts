/** What a mail is about. Failed mails are listed by it. */
export type MailKind = 'sign-in-code' | 'invitation' | 'password-reset' | 'account-notice';

/** A part of the text: a paragraph, a link with its label, a code to type, or lines of names and values. */
export type MailBlock =
  | string
  | { readonly link: string; readonly label: string }
  | { readonly code: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[] };

/** What a template returns. */
export interface MailContent {
  readonly kind: MailKind;
  /** Never holds a secret: it is shown in notifications and logged by mail servers. */
  readonly subject: string;
  readonly body: readonly MailBlock[];
  /** Whether the body holds a secret, such as a link or a code. It is then encrypted in the queue. */
  readonly isConfidential: boolean;
  /** How long the mail is of use. It is not sent after that. */
  readonly usefulMinutes: number;
}

/** Writes a mail with the name that the owner has given the service. */
export type MailTemplate = (site: string) => MailContent;

/** The mails of an account that nobody must act on are of use for a day. */
export const usefulMinutesOfNotice = 24 * 60;
