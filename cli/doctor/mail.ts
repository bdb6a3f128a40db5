import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { selectMailboxHealth } from '../../src/db/tables/mailboxes.ts';
import { readMailServerUrl } from '../../src/shared/mail-server-url.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const defaultTimeoutMs = 5_000;

/** Checks that the mail server answers with a greeting. */
export async function checkMail(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  { timeoutMs = defaultTimeoutMs } = {},
): Promise<Finding> {
  if (smtpUrl === undefined)
    return ok('mail', 'off: without SMTP_URL nobody gets links, codes or notices by mail');
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
    if (greeting.startsWith('220')) return ok('mail', `${shown} is ready`);
    return failed('mail', `${shown} is not a mail server`, 'Check the host and port in SMTP_URL.');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = signal.aborted
      ? `no greeting within ${timeoutMs / 1_000} s`
      : (code ?? 'it closed the connection');
    return failed(
      'mail',
      `${shown} does not answer (${reason})`,
      'Check SMTP_URL, and that the server is running.',
    );
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
}: Pick<Config, 'smtpUrl' | 'publicUrl' | 'isPublicUrlSet'>): Finding[] {
  if (smtpUrl === undefined || isPublicUrlSet) return [];
  return [
    warning(
      'public URL',
      `links in mails lead to ${publicUrl}`,
      'Set BACKOFFICE_PUBLIC_URL to the URL at which people reach the service.',
    ),
  ];
}

/** The mailbox is read every 15 seconds. */
const maxUnreadSeconds = 300;

/** Checks that an instance reads the mailbox. */
export async function checkMailbox(
  db: Database,
  { imapUrl }: { readonly imapUrl: string | undefined },
): Promise<Finding> {
  if (imapUrl === undefined) return ok('mailbox', 'off: without IMAP_URL no mails are read');
  const { mailboxOf } = await import('../../src/services/incoming/imap.ts');
  const { name } = mailboxOf(imapUrl);
  const health = await selectMailboxHealth(db, name);
  const advice = 'Run `backoffice mail test`, and check that a service with this IMAP_URL runs.';
  if (health?.error) return failed('mailbox', health.error, advice);
  if (health === null || health.seconds === null) return warning('mailbox', `${name} was never read`, advice);
  if (health.seconds < maxUnreadSeconds) return ok('mailbox', `${name} is read`);
  const minutes = Math.floor(health.seconds / 60);
  return failed('mailbox', `${name} was not read for ${minutes} minutes`, advice);
}
