import { randomUUID } from 'node:crypto';
import { type Config, readConfig } from '../../src/config.ts';
import {
  describeImapError,
  imapTimeoutMs,
  type Mailbox,
  mailboxOf,
} from '../../src/services/incoming/imap.ts';
import { createSmtpClient, MailError } from '../../src/services/mail/smtp.ts';
import { wait, within } from '../../src/shared/waiting.ts';
import { FailedError } from '../errors.ts';
import { print } from '../terminal/terminal.ts';

const arrivalMs = 60_000;

/** Sends a mail to the own mailbox and finds it there. */
export async function testMail(): Promise<void> {
  const config = readConfig();
  const { imapUrl, smtpUrl } = config;
  if (smtpUrl === undefined && imapUrl === undefined)
    throw new FailedError('Neither SMTP_URL nor IMAP_URL is set: no mail goes out or comes in.');
  const mailbox = imapUrl === undefined ? undefined : mailboxOf(imapUrl);
  if (mailbox !== undefined) {
    await inMailbox(mailbox, async () => {});
    print(`IMAP: signed in, and opened ${mailbox.name}.`);
  }
  if (smtpUrl === undefined) return print('SMTP: SMTP_URL is not set, so visitors get no mail.');
  const to = config.mailReplyTo ?? addressOf(imapUrl) ?? config.mailFrom.address;
  const id = await sendTest(config, smtpUrl, to);
  print(`SMTP: sent a mail to ${to}.`);
  if (mailbox === undefined) return print('IMAP: IMAP_URL is not set, so no mail comes in this way.');
  await findTest(mailbox, id, to);
  print('The mail has arrived in the mailbox. Everything works.');
}

/** Returns the user of the mailbox, if it is an address. */
function addressOf(imapUrl = ''): string | undefined {
  const user = decodeURIComponent(URL.parse(imapUrl)?.username ?? '');
  return user.includes('@') ? user : undefined;
}

async function sendTest(config: Config, smtpUrl: string, to: string): Promise<string> {
  const id = randomUUID();
  const text = 'This is the test of `backoffice mail test`. You can delete it.';
  try {
    const send = createSmtpClient(smtpUrl, config.mailFrom);
    await send({ id, to, subject: 'Test of the mail servers', text, html: `<p>${text}</p>` });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    throw new FailedError(`SMTP: ${error.message} Check SMTP_URL and BACKOFFICE_MAIL_FROM.`);
  }
  return id;
}

async function findTest(mailbox: Mailbox, id: string, to: string): Promise<void> {
  const until = performance.now() + arrivalMs;
  const isThere = () =>
    inMailbox(mailbox, async (search) => (await search({ header: { 'message-id': id } })).length > 0);
  while (!(await isThere())) {
    if (performance.now() > until)
      throw new FailedError(
        `The mail to ${to} was sent, but is not in ${mailbox.name} after a minute. Check that this is the mailbox of ` +
          'that address, and its folder for spam.',
      );
    await wait(1_000);
  }
}

type Search = (query: { header: Record<string, string> }) => Promise<readonly number[]>;

async function inMailbox<T>(mailbox: Mailbox, use: (search: Search) => Promise<T>): Promise<T> {
  const client = await mailbox.connection();
  const noAnswer = () => Object.assign(new Error(), { code: 'ETIMEOUT' });
  try {
    await within(2 * imapTimeoutMs, client.connect(), noAnswer);
    await within(imapTimeoutMs, client.mailboxOpen(mailbox.folder, { readOnly: true }), noAnswer);
    return await use(async (query) => (await client.search(query, { uid: true })) || []);
  } catch (error) {
    throw new FailedError(`IMAP: ${describeImapError(error)}`);
  } finally {
    client.close();
  }
}
