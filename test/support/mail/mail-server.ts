import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import { listenOnLoopback } from '../servers/listen.ts';
import { parseMail, type ReceivedMail } from './parse-mail.ts';

/** A mail server on the loopback that keeps what it receives. */
export interface MailServer {
  /** The value of SMTP_URL. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Returns the SMTP status that refuses a recipient, or undefined to accept it. By default it accepts all. */
  refuse: (recipient: string) => number | undefined;
  /** The SMTP status that refuses every sender. By default it accepts all. */
  refuseSender: number | undefined;
  /** Resolves with the latest mail to that address, once there is one. Removes it and those before it. */
  take(recipient: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Starts a mail server on a free port. It requires the password of its URL. */
export async function startMailServer(): Promise<MailServer> {
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
      const raw = await text(stream);
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
  const mailServer: MailServer = {
    url: `smtp://mailer%40x:p%25ss@127.0.0.1:${port}`,
    mails,
    refuse: () => undefined,
    refuseSender: undefined,
    async take(recipient) {
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
