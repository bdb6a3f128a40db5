import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import { listenOnLoopback } from './listen.ts';

/** A mail server on the loopback that keeps what it receives. */
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Starts a mail server on a free port. It requires the password of its URL. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    logger: false,
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === 'mailer@x' && password === 'p%ss') done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
    onMailFrom(_address, _session, done) {
      done(refusal(mailServer.refuseSender));
    },
    onRcptTo({ address }, _session, done) {
      done(refusal(mailServer.refuse(address)));
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream).catch(() => undefined);
      // Its sender was killed in the middle of it.
      if (raw === undefined) return done(new Error('cut off'));
      mails.push(
        parseMail(
          raw,
          envelope.rcptTo.map(({ address }) => address),
        ),
      );
      done();
    },
  });
  const port = await listenOnLoopback(server.server);
  const mailServer = {
    /** The value of SMTP_URL. */
    url: `smtp://mailer%40x:p%25ss@127.0.0.1:${port}`,
    mails,
    /** Returns the SMTP status that refuses a recipient, or undefined to accept it. By default it accepts all. */
    refuse: (_recipient: string): number | undefined => undefined,
    /** The SMTP status that refuses every sender. By default it accepts all. */
    refuseSender: undefined as number | undefined,
    /** Resolves with the latest mail to that address, once there is one. Removes it and those before it. */
    async take(recipient: string) {
      const find = () => mails.findLastIndex((mail) => mail.recipients.includes(recipient));
      await expect.poll(find, { interval: 5 }).toBeGreaterThanOrEqual(0);
      return mails.splice(0, find() + 1).at(-1) as ReceivedMail;
    },
    async close() {
      server.close();
      await once(server.server, 'close');
    },
  };
  return mailServer;
}

function refusal(status: number | undefined): Error | null {
  return status === undefined ? null : Object.assign(new Error('refused'), { responseCode: status });
}

/** A mail as its recipient sees it. */
type ReceivedMail = ReturnType<typeof parseMail>;

/** Parses what nodemailer makes of a mail with a text and its HTML. */
function parseMail(raw: string, recipients: readonly string[]) {
  const { headerLines, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(fieldOf(headerLines, 'content-type') ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')));
  const partOf = (type: string) =>
    parts.find((part) => fieldOf(part.headerLines, 'content-type')?.startsWith(type));
  return {
    /** The addresses that the client named, whatever the headers say. */
    recipients,
    /** The lines of the header, with those that were folded joined. */
    headerLines,
    /** Returns the header of that name, decoded. */
    header: (name: string) => decodeWords(fieldOf(headerLines, name)),
    text: decodeBody(partOf('text/plain')),
    html: decodeBody(partOf('text/html')),
    raw,
  };
}

interface Part {
  readonly headerLines: readonly string[];
  readonly body: string;
}

function split(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const headerLines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  return { headerLines, body: text.slice(end + 4) };
}

function fieldOf(headerLines: readonly string[], name: string): string | undefined {
  const start = `${name.toLowerCase()}:`;
  return headerLines
    .find((line) => line.toLowerCase().startsWith(start))
    ?.slice(start.length)
    .trim();
}

function decodeBody(part: Part | undefined): string {
  if (part === undefined) return '';
  const encoding = fieldOf(part.headerLines, 'content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString();
  return (encoding === 'quoted-printable' ? decodeQuoted(part.body) : part.body).replaceAll('\r\n', '\n');
}

function decodeQuoted(text: string): string {
  const toByte = (_match: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const bytes = text.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, toByte);
  return Buffer.from(bytes, 'latin1').toString();
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
function decodeWords(value: string | undefined): string | undefined {
  return value
    ?.replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_match, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}
