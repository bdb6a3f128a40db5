import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Config } from '../../src/config.ts';
import { type Finding, failed, ok } from './finding.ts';

/** Milliseconds. */
const patience = 5_000;
const portOf: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Does the mail server answer, and greet as one? */
export async function checkMail({ smtpUrl }: Config): Promise<Finding> {
  if (smtpUrl === undefined) return ok('mail', 'not configured');
  const { protocol, hostname, port } = new URL(smtpUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = { host, port: Number(port) || (portOf[protocol] ?? 0) };
  const shown = `${hostname}:${address.port}`;
  const signal = AbortSignal.timeout(patience);
  const socket =
    protocol === 'smtps:'
      ? connectTls({ ...address, servername: isIP(host) === 0 ? host : '' })
      : connect(address);
  try {
    const greeting = await readGreeting(socket, signal);
    // https://www.rfc-editor.org/rfc/rfc5321#section-4.3.2
    if (greeting.startsWith('220')) return ok('mail', `${shown} is ready`);
    return failed('mail', `${shown} does not greet as a mail server`, 'Check host and port of SMTP_URL.');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = signal.aborted ? 'it does not greet within 5 s' : (code ?? 'it hangs up');
    return failed('mail', `${shown} does not answer (${reason})`, 'Check SMTP_URL and that the server runs.');
  } finally {
    socket.destroy();
  }
}

async function readGreeting(socket: Socket, signal: AbortSignal): Promise<string> {
  // Whichever comes first: an answer, an error, or an end without either.
  const closed = once(socket, 'close', { signal }).then(() => {
    throw new Error('The connection was closed.');
  });
  const data = once(socket, 'data', { signal });
  closed.catch(() => {});
  data.catch(() => {});
  const [chunk] = (await Promise.race([data, closed])) as [Buffer];
  return chunk.toString('latin1');
}
