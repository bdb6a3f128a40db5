import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepReadingMailbox } from '../../src/jobs/mailbox.ts';
import { backofficeHere } from '../support/here.ts';
import { startMailbox } from '../support/receivers/mailbox.ts';
import { writeMail } from '../support/receivers/mails.ts';
import { runJobsOf, startJobsOf } from '../support/receivers.ts';

let mailbox: Awaited<ReturnType<typeof startMailbox>>;
beforeAll(async () => {
  mailbox = await startMailbox();
  mailbox.append(mail('read by somebody'), ['\\Seen']);
  mailbox.append(mail('before the start'));
});
afterAll(() => mailbox?.close());

const backoffice = backofficeHere(() => ({ IMAP_URL: mailbox.url }));
runJobsOf(backoffice);

const mail = (subject: string, from = 'Ada <ada@example.com>') =>
  writeMail({
    headers: [
      `From: ${from}`,
      `Subject: ${subject}`,
      `Message-ID: <${subject.replaceAll(' ', '-')}@x.example>`,
    ],
  });

const subjects = async () =>
  (await backoffice.sql<{ subject: string }>('select subject from conversations order by created_at')).map(
    ({ subject }) => subject,
  );
const health = async () =>
  (await backoffice.sql('select error, read_at is not null as read from mailboxes'))[0];
const until = (condition: () => unknown, expected: unknown) =>
  expect.poll(condition, { interval: 10, timeout: 20_000 }).toEqual(expected);

test('stores what nobody has read, then what arrives, and marks it as seen after that', async () => {
  await until(subjects, ['before the start']);
  await until(health, { error: null, read: true });
  const start = performance.now();
  mailbox.append(mail('at once'));
  await until(subjects, ['before the start', 'at once']);
  const ms = performance.now() - start;
  console.info(`stored ${Math.round(ms)} ms after its arrival`);
  expect(ms).toBeLessThan(10_000);
  await until(mailbox.seen, [true, true, true]);
});

test('a mail that arrives twice counts once, and one that cannot be read holds up nothing', async () => {
  mailbox.append(mail('at once'));
  mailbox.append(
    writeMail({ headers: ['From: eve@example.org', 'Subject: Broken', `X-Long: ${'x'.repeat(3_000_000)}`] }),
  );
  mailbox.append(mail('behind it'));
  await until(async () => (await subjects()).slice(2), [expect.anything(), 'behind it']);
  const [row] = await backoffice.sql(
    `select content from conversation_messages order by id desc offset 1 limit 1`,
  );
  expect(row?.content).toMatch(/^This mail cannot be read/);
  await until(
    mailbox.seen,
    mailbox.seen().map(() => true),
  );
});

test('of a mail that is too large, only who has sent it and what about is kept', async () => {
  const headers = ['From: Eve <eve@example.org>', 'Subject: Huge', 'Message-ID: <huge@x.example>'];
  mailbox.append(writeMail({ headers, body: Buffer.alloc(26 * 1024 * 1024, 'a') }));
  await until(async () => (await subjects()).at(-1), 'Huge');
  const [row] = await backoffice.sql(
    `select content, bytes, source from conversation_messages m join received_mails on message_id = m.id order by m.id desc limit 1`,
  );
  expect(row).toMatchObject({ content: expect.stringMatching(/^This mail is too large/), source: null });
  expect(Number(row?.bytes)).toBeGreaterThan(26 * 1024 * 1024);
});

test('a cut connection, other UIDs and a second instance lose nothing and double nothing', async () => {
  const before = await subjects();
  const other = startJobsOf(backoffice.service);
  try {
    mailbox.cut();
    mailbox.append(mail('while it was cut'));
    mailbox.renumber();
    await until(async () => (await subjects()).slice(before.length), ['while it was cut']);
    mailbox.append(mail('after that'));
    await until(async () => (await subjects()).slice(before.length), ['while it was cut', 'after that']);
    expect(mailbox.connections()).toBe(1);
  } finally {
    await other.stop();
  }
});

test('a server that freezes is named as the cause, and read again once it answers', async () => {
  const frozen = await startMailbox();
  const stop = new AbortController();
  const log = pino({ level: 'silent' });
  // Under another name, so that it is another mailbox.
  const url = frozen.url.replace('127.0.0.1', 'localhost');
  const { services } = backoffice.service;
  const reading = keepReadingMailbox({ services, log }, url, stop.signal, 1_000);
  const stateOf = async () =>
    (
      await backoffice.sql(
        `select error, read_at is not null as read from mailboxes where name like '%localhost%'`,
      )
    )[0];
  try {
    await until(stateOf, { error: null, read: true });
    const before = await subjects();
    frozen.freeze();
    frozen.append(mail('into the ice'));
    await until(stateOf, { error: 'The mail server of IMAP_URL does not answer.', read: true });
    expect(await subjects()).toEqual(before);
    frozen.freeze(false);
    await until(async () => (await subjects()).slice(before.length), ['into the ice']);
    await until(stateOf, { error: null, read: true });
    await until(frozen.seen, [true]);
  } finally {
    stop.abort();
    await reading;
    await frozen.close();
  }
});
