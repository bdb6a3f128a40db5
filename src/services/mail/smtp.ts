import { domainToASCII } from 'node:url';
import type { Transporter } from 'nodemailer';
import { defaultName } from '../../contract/known-settings/settings.ts';
import { ExpectedError } from '../../shared/errors.ts';
import { cutText } from '../../shared/text.ts';
import { inSpan } from '../../shared/tracing.ts';
import { readMailServerUrl } from '../../shared/urls.ts';
import { lazily } from '../../shared/waiting.ts';
import { oneLine } from './message.ts';

interface OutgoingMail {
  /** The same for every attempt, so that a mail that arrives twice is shown once. */
  readonly id: string;
  readonly to: string;
  /** What mail programs show as the sender if the configuration has no name. */
  readonly site?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Present if a person wrote it: it belongs to a thread, and an answering machine may answer. */
  readonly thread?: MailThread;
}

/** The Message-IDs are without angle brackets. */
interface MailThread {
  readonly messageId: string;
  /** Of the mails before it, oldest first. */
  readonly references: readonly string[];
  readonly toName: string;
  readonly replyTo: string | undefined;
}

/** An address and the name that mail programs show for it; undefined for that of the service. */
export interface MailSender {
  readonly name: string | undefined;
  readonly address: string;
}

/** The mail server refused a mail, or could not be reached. The message is one sentence without a secret. */
export class MailError extends ExpectedError {
  override readonly name = 'MailError';
  /** Whether the server will refuse the same mail again. */
  readonly isPermanent: boolean;
  /** The same with what the server said, which may name the recipient. */
  readonly detail: string;

  constructor(
    message: string,
    { isPermanent, detail, cause }: Pick<MailError, 'isPermanent' | 'detail' | 'cause'>,
  ) {
    super(message, { cause });
    this.isPermanent = isPermanent;
    this.detail = detail;
  }
}

/** A server that takes longer holds up other jobs. The mail is sent again later. */
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
};
/** For the whole of a mail: a server that answers a byte at a time is never inactive. */
const sendTimeoutMs = 60_000;

/** Sends a mail on its own connection. Throws a MailError, or the signal's reason when it aborts. */
export type SendMail = (mail: OutgoingMail, signal?: AbortSignal) => Promise<void>;

/** Returns the domain of a sender, which its Message-IDs end with. */
export function domainOf({ address }: MailSender): string {
  return domainToASCII(address.split('@').at(-1) ?? '');
}

export function createSmtpClient(smtpUrl: string, from: MailSender): SendMail {
  const opened = lazily(() => open(smtpUrl));
  const domain = domainOf(from);
  const attributes = { 'server.address': new URL(smtpUrl).hostname };

  async function send({ id, to, site, thread, ...content }: OutgoingMail, signal?: AbortSignal) {
    const name = from.name ?? site ?? defaultName;
    const transporter = await opened();
    const timeout = AbortSignal.timeout(sendTimeoutMs);
    try {
      await transporter.sendMail({
        from: { name, address: from.address },
        to: { name: thread?.toName ?? '', address: to },
        ...content,
        ...(thread === undefined ? automatic(`${id}@${domain}`) : headersOf(thread, name)),
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw toMailError(error);
    }
  }

  return (mail, signal) =>
    inSpan({ name: 'send mail', kind: 'client', attributes }, () => send(mail, signal));
}

/** Returns the headers of a mail that answering machines do not answer. */
const automatic = (messageId: string) => ({
  messageId: `<${messageId}>`,
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
});

function headersOf({ messageId, references, replyTo }: MailThread, name: string) {
  const ids = references.map((id) => `<${id}>`);
  return {
    messageId: `<${messageId}>`,
    ...(replyTo === undefined ? {} : { replyTo: { name, address: replyTo } }),
    ...(ids.length === 0 ? {} : { inReplyTo: ids.at(-1), references: ids }),
  };
}

/** Imported on demand: most processes send no mail, and the import would slow their start. */
async function open(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { host, port, secure, user, pass, isLoopback } = readMailServerUrl(smtpUrl);
  return createTransport({
    host,
    ...(port === 0 ? {} : { port }),
    secure,
    // An attacker on the network could remove the offer of TLS and read the password.
    requireTLS: user !== '' && !isLoopback,
    ...(user === '' ? {} : { auth: { user, pass } }),
    ...timeouts,
  });
}

interface SmtpFailure {
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  /** The lines of the server's answer. */
  readonly response?: string;
  readonly permanent?: boolean;
  readonly command?: string;
}

/** Reports whether the server rejects the mail or its recipient. A sender or a password can be mended. */
function isRejection({ code, command, permanent }: SmtpFailure): boolean {
  return permanent === true && (code === 'EMESSAGE' || command === 'RCPT TO');
}

/** How much of a server's answer is kept. */
const maxResponse = 500;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by the mail server.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The mail server was not found.',
  EAUTH: 'The mail server refused the user name or password of SMTP_URL.',
  ENOAUTH: 'The mail server requires a user name and password in SMTP_URL.',
  EABORT: 'The mail server did not answer in time.',
  ETLS: 'No TLS connection to the mail server.',
  EENVELOPE: 'The mail server refused the sender or the address.',
  EMESSAGE: 'The mail server refused the mail.',
};

function toMailError(error: unknown): MailError {
  const failure = error as SmtpFailure;
  const { code = '', originalCode = '', responseCode, response } = failure;
  const reason =
    reasons[originalCode] ?? reasons[code] ?? `Connection to the mail server failed (${code || 'unknown'}).`;
  const status = responseCode === undefined ? '' : ` It answered ${responseCode}.`;
  const said = response === undefined ? status : ` It answered: ${cutText(oneLine(response), maxResponse)}`;
  return new MailError(reason + status, {
    isPermanent: isRejection(failure),
    detail: reason + said,
    cause: error,
  });
}
