import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { countWaitingMails } from '../../src/db/job-queue/jobs.ts';
import { selectWaitingDeliveries } from '../../src/db/tables/conversations/message-deliveries.ts';
import { countFailedMails } from '../../src/db/tables/failed-mails.ts';
import { maxUnreadSeconds, selectMailboxHealth } from '../../src/db/tables/mailboxes.ts';
import { readMailServerUrl } from '../../src/shared/urls.ts';
import { counted, printable } from '../terminal/text.ts';
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
  // Whichever comes first: data, an error, or the end of the connection.
  const closed = once(socket, 'close', { signal }).then(() => {
    throw new Error('The connection was closed.');
  });
  const data = once(socket, 'data', { signal });
  closed.catch(() => {});
  data.catch(() => {});
  const [chunk] = (await Promise.race([data, closed])) as [Buffer];
  return chunk.toString('latin1');
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

/** Checks that replies are sent to visitors by mail, or wait for a moment only. */
export async function checkReplies(db: Database): Promise<Judgement> {
  const { count, oldest_seconds, error } = await selectWaitingDeliveries(db);
  if (oldest_seconds < maxReplyWaitSeconds) return ok(count === 0 ? 'none waiting' : `${count} waiting`);
  const age = counted(Math.floor(oldest_seconds / 60), 'minute');
  return warning(
    `${counted(count, 'reply', 'replies')} to visitors not sent yet, the oldest for ${age}${error === null ? '' : ` (${printable(error)})`}`,
    'Check that an instance runs with SMTP_URL, and its log. They are sent when the mail server takes them.',
  );
}

/** Checks that the mails of the queue are sent. */
export async function checkMails(db: Database): Promise<Judgement> {
  const fix = 'Check SMTP_URL and the log of the service. What was in the mails is not sent again.';
  const waiting = await countWaitingMails(db);
  const { count, error } = await countFailedMails(db);
  const problems: string[] = [];
  if (count > 0) problems.push(`${counted(count, 'mail')} given up in the last week (${error})`);
  if (waiting.retried > 0)
    problems.push(
      `${counted(waiting.retried, 'mail')} failed and will be tried again (${waiting.last_error})`,
    );
  if (problems.length > 0) return warning(problems.join('; '), fix);
  return ok(waiting.count === 0 ? 'none waiting' : `${waiting.count} waiting`);
}

/** Checks that an instance reads the mailbox. */
export async function checkMailbox(
  db: Database,
  { imapUrl }: { readonly imapUrl: string | undefined },
): Promise<Judgement> {
  if (imapUrl === undefined) return ok('off: without IMAP_URL no mails are read');
  const { mailboxOf } = await import('../../src/services/incoming/imap.ts');
  const { name } = mailboxOf(imapUrl);
  const health = await selectMailboxHealth(db, name);
  const advice = 'Run `backoffice mail test`, and check that a service with this IMAP_URL runs.';
  if (health?.error) return failed(health.error, advice);
  if (health === null || health.seconds === null) return warning(`${name} was never read`, advice);
  if (health.seconds < maxUnreadSeconds) return ok(`${name} is read`);
  const minutes = Math.floor(health.seconds / 60);
  return failed(`${name} was not read for ${minutes} minutes`, advice);
}
