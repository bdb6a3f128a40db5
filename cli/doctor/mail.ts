import { on } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../../src/config.ts';
import { countWaitingMails } from '../../src/db/job-queue/jobs.ts';
import { selectWaitingDeliveries } from '../../src/db/tables/conversations/message-deliveries.ts';
import { countFailedMails } from '../../src/db/tables/failed-mails.ts';
import { maxUnreadSeconds, selectMailboxHealth } from '../../src/db/tables/mailboxes.ts';
import { readMailServerUrl } from '../../src/shared/urls.ts';
import { counted, printable } from '../terminal/text.ts';
import type { DataChecks } from './data.ts';
import { failed, type Judgement, ok, warning } from './finding.ts';

const defaultTimeoutMs = 5_000;

/** Checks that the mail server answers with a greeting. */
export async function checkMail(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  { timeoutMs = defaultTimeoutMs } = {},
): Promise<Judgement> {
  if (smtpUrl === undefined) return ok('off: without SMTP_URL nobody gets links, codes or notices by mail');
  const { host, port, secure } = readMailServerUrl(smtpUrl);
  const address = { host, port: port || (secure ? 465 : 587) };
  const shown = `${new URL(smtpUrl).hostname}:${address.port}`;
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = secure
    ? connectTls({ ...address, servername: isIP(host) === 0 ? host : '' })
    : connect(address);
  try {
    const greeting = await readGreeting(socket, signal);
    // https://www.rfc-editor.org/rfc/rfc5321#section-4.3.2
    if (greeting.startsWith('220')) return ok(`${shown} is ready`);
    return failed(`${shown} is not a mail server`, 'Check the host and port in SMTP_URL.');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = signal.aborted
      ? `no greeting within ${timeoutMs / 1_000} s`
      : (code ?? 'it closed the connection');
    return failed(`${shown} does not answer (${reason})`, 'Check SMTP_URL, and that the server is running.');
  } finally {
    socket.destroy();
  }
}

async function readGreeting(socket: Socket, signal: AbortSignal): Promise<string> {
  for await (const [chunk] of on(socket, 'data', { signal, close: ['close'] }))
    return (chunk as Buffer).toString('latin1');
  throw new Error('The connection was closed.');
}

/** Checks that the links in mails lead to the service. Returns nothing if no mails are sent, or all is well. */
export function checkPublicUrl({
  smtpUrl,
  publicUrl,
  isPublicUrlSet,
}: Pick<Config, 'smtpUrl' | 'publicUrl' | 'isPublicUrlSet'>): Judgement | undefined {
  if (smtpUrl === undefined || isPublicUrlSet) return undefined;
  const fix = 'Set BACKOFFICE_PUBLIC_URL to the URL at which people reach the service.';
  return warning(`links in mails lead to ${publicUrl}`, fix);
}

/** A mail server that works takes a reply within seconds. It is tried again after seconds, then minutes. */
const maxReplyWaitSeconds = 15 * 60;

/** The checks of the mails that are sent, and of those that are read. */
export const mailChecks: DataChecks = {
  async mails(db) {
    const waiting = await countWaitingMails(db);
    const { count, error } = await countFailedMails(db);
    const problems = [
      ...(count > 0 ? [`${counted(count, 'mail')} given up in the last week (${error})`] : []),
      ...(waiting.retried > 0
        ? [`${counted(waiting.retried, 'mail')} failed and will be tried again (${waiting.last_error})`]
        : []),
    ];
    const fix = 'Check SMTP_URL and the log of the service. What was in the mails is not sent again.';
    if (problems.length > 0) return warning(problems.join('; '), fix);
    return ok(waiting.count === 0 ? 'none waiting' : `${waiting.count} waiting`);
  },

  async 'visitor mails'(db) {
    const { count, oldest_seconds, error } = await selectWaitingDeliveries(db);
    if (oldest_seconds < maxReplyWaitSeconds) return ok(count === 0 ? 'none waiting' : `${count} waiting`);
    const age = counted(Math.floor(oldest_seconds / 60), 'minute');
    const reason = error === null ? '' : ` (${printable(error)})`;
    return warning(
      `${counted(count, 'reply', 'replies')} to visitors not sent yet, the oldest for ${age}${reason}`,
      'Check that an instance runs with SMTP_URL, and its log. They are sent when the mail server takes them.',
    );
  },

  async mailbox(db, { imapUrl }) {
    if (imapUrl === undefined) return ok('off: without IMAP_URL no mails are read');
    const { mailboxOf } = await import('../../src/services/incoming/imap.ts');
    const { name } = mailboxOf(imapUrl);
    const { error, seconds = null } = (await selectMailboxHealth(db, name)) ?? {};
    const fix = 'Run `backoffice mail test`, and check that a service with this IMAP_URL runs.';
    if (error) return failed(error, fix);
    if (seconds === null) return warning(`${name} was never read`, fix);
    if (seconds < maxUnreadSeconds) return ok(`${name} is read`);
    return failed(`${name} was not read for ${Math.floor(seconds / 60)} minutes`, fix);
  },
};
