import { domainToASCII } from 'node:url';
import type { Transporter } from 'nodemailer';
import { defaultName } from '../../contract/known-settings/branding.ts';
import { ExpectedError } from '../../shared/errors.ts';
import { inSpan } from '../../shared/tracing.ts';
import { lazily } from '../../shared/waiting.ts';

interface OutgoingMail {
  /** The same for every attempt, so that a mail that arrives twice is shown once. */
  readonly id: string;
  readonly to: string;
  /** What mail programs show as the sender if the configuration has no name. */
  readonly site?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
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

  constructor(message: string, isPermanent: boolean, cause: unknown) {
    super(message, { cause });
    this.isPermanent = isPermanent;
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

export function createSmtpClient(smtpUrl: string, from: MailSender): SendMail {
  const opened = lazily(() => open(smtpUrl));
  const domain = domainToASCII(from.address.split('@').at(-1) ?? '');
  const attributes = { 'server.address': new URL(smtpUrl).hostname };

  async function send({ id, to, site, subject, text, html }: OutgoingMail, signal?: AbortSignal) {
    const transporter = await opened();
    const timeout = AbortSignal.timeout(sendTimeoutMs);
    try {
      await transporter.sendMail({
        from: { name: from.name ?? site ?? defaultName, address: from.address },
        to: { name: '', address: to },
        ...{ subject, text, html },
        messageId: `<${id}@${domain}>`,
        // Answering machines do not answer.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
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

/** Imported on demand: most processes send no mail, and the import would slow their start. */
async function open(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const hasCredentials = username !== '';
  return createTransport({
    host,
    ...(port === '' ? {} : { port: Number(port) }),
    secure: protocol === 'smtps:',
    // An attacker on the network could remove the offer of TLS and read the password.
    requireTLS: hasCredentials && !isLoopback(host),
    ...(hasCredentials
      ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
      : {}),
    ...timeouts,
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

interface SmtpFailure {
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
  readonly command?: string;
}

/** Reports whether the server rejects the mail or its recipient. A sender or a password can be mended. */
function isRejection({ code, command, permanent }: SmtpFailure): boolean {
  return permanent === true && (code === 'EMESSAGE' || command === 'RCPT TO');
}

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
  const { code = '', originalCode = '', responseCode } = failure;
  const reason =
    reasons[originalCode] ?? reasons[code] ?? `Connection to the mail server failed (${code || 'unknown'}).`;
  const status = responseCode === undefined ? '' : ` It answered ${responseCode}.`;
  return new MailError(reason + status, isRejection(failure), error);
}
