import { createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localAccess } from '../../cli/access/local.ts';
import type { Client } from '../../src/contract/client/client.ts';
import { serviceActor } from '../../src/services/call/actor.ts';
import { changesOf } from '../../src/services/call/changes.ts';
import { failLostReplies, recordBounce, sendQueuedReply } from '../../src/services/mail/replies.ts';
import { createSmtpClient } from '../../src/services/mail/smtp.ts';
import { startInstance, startTestService } from '../support/here.ts';
import { queryRows } from '../support/postgres/seeded.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';
import { mailHere, publicUrl, startJobsOf } from '../support/receivers.ts';

const own = mailHere({ BACKOFFICE_MAIL_REPLY_TO: 'support@example.com' });
const call: Client['call'] = (id, input) => own.superadmin.client.call(id, input);

beforeAll(async () => {
  await call('settings.update', { key: 'visitor_mail', value: 'on' });
});

const accepting = { refuse: () => undefined, refuseSender: undefined };
afterEach(() => {
  Object.assign(own.mailServer, accepting);
});

let made = 0;

/** Makes a conversation with a question of its visitor. */
async function ask(
  fields: Partial<Record<'visitor_email' | 'visitor_name' | 'subject' | 'initial_message', string>> = {},
) {
  const email = `visitor-${++made}@example.com`;
  const { conversation } = await call('conversations.create', {
    visitor_email: email,
    visitor_name: 'Ada',
    subject: 'My invoice',
    initial_message: 'Where is my invoice?\n\n  It was due in March.',
    ...fields,
  });
  return { id: conversation.id, email };
}

const reply = async (conversation_id: string, content = 'It is in your inbox.') =>
  (await call('messages.create', { conversation_id, content })).id;

/** Returns the deliveries of a conversation, oldest message first. */
async function deliveries(conversation_id: string) {
  const { messages } = await call('messages.list', { conversation_id, include: 'delivery' });
  return messages.flatMap(({ sender_type, delivery }) => (sender_type === 'admin' ? [delivery] : []));
}

const jobsOf = (id: number) =>
  own.sql<{ last_error: string | null }>('select last_error from graphile_worker.jobs where key = $1', [
    `reply:${id}`,
  ]);

/** Makes the next attempt of a reply due now. */
const makeDue = (id: number, isLast = false) =>
  own.sql(
    `update graphile_worker._private_jobs set run_at = now(), attempts = case when $2 then max_attempts - 1 else attempts end
     where key = $1`,
    [`reply:${id}`, isLast],
  );

/** Returns the states that the events of a reply told. */
const told = async (id: number) =>
  (
    await own.sql<{ state: string }>(
      `select data->>'state' as state from events where type = 'message.delivered' and subject_id = $1 order by id`,
      [String(id)],
    )
  ).map(({ state }) => state);

describe('a reply is sent to its visitor', () => {
  test('with its lines, and the last message of the visitor, as text and as HTML', async () => {
    const { id, email } = await ask();
    const start = performance.now();
    const message = await reply(id, 'It is in your inbox.\r\n\r\n  - <b>March</b>\n  - April');
    const mail = await own.mailServer.take(email);
    expect(performance.now() - start).toBeLessThan(10_000);
    const code = /^Backoffice <support\+([a-z2-7]{26})@example\.com>$/.exec(
      mail.header('Reply-To') ?? '',
    )?.[1];
    const names = ['From', 'To', 'Subject', 'Message-ID', 'In-Reply-To', 'References', 'Auto-Submitted'];
    expect(names.map(mail.header)).toEqual([
      'Backoffice <backoffice@backoffice.example.com>',
      `Ada <${email}>`,
      'Re: My invoice',
      `<${message}.${code}@backoffice.example.com>`,
      ...[undefined, undefined, undefined],
    ]);
    expect(mail.text.replace(/On .* UTC/, 'On that day')).toBe(
      'It is in your inbox.\n\n  - <b>March</b>\n  - April\n\nTo answer, reply to this mail.\nSent by Backoffice\n\n' +
        'On that day, you wrote:\n> Where is my invoice?\n>\n>   It was due in March.\n\n',
    );
    expect(mail.html).toContain(
      '<p>It is in your inbox.<br>\n<br>\n&nbsp;&nbsp;- &lt;b&gt;March&lt;/b&gt;<br>\n&nbsp;&nbsp;- April</p>',
    );
    expect(mail.html).toContain(
      '>Where is my invoice?<br>\n<br>\n&nbsp;&nbsp;It was due in March.</blockquote>',
    );
    await expect.poll(() => deliveries(id)).toEqual([{ state: 'sent', at: expect.any(String), error: null }]);
    await expect.poll(() => told(message)).toEqual(['sent']);
    await expect.poll(() => jobsOf(message)).toEqual([]);
  });

  test('in the thread of those before it, if it is typed, an approved draft, or written by a command', async () => {
    const { id, email } = await ask({ subject: 'RE: Hello' });
    const ids: (string | undefined)[] = [];
    const take = async () => {
      const mail = await own.mailServer.take(email);
      expect([mail.header('Subject'), mail.header('In-Reply-To')]).toEqual(['RE: Hello', ids.at(-1)]);
      expect(mail.header('References')).toBe(ids.length === 0 ? undefined : ids.join(' '));
      ids.push(mail.header('Message-ID'));
    };
    await reply(id);
    await take();
    const access = localAccess(own.service.services);
    await access.call('messages.create', { conversation_id: id, content: 'By a command' });
    await take();
    const { id: question } = await call('messages.create', {
      conversation_id: id,
      content: 'And May?',
      sender_type: 'visitor',
    });
    await call('messages.updateDraft', { id: question, ai_draft: 'That too.' });
    await call('messages.create', { approve: question });
    await take();
    expect(own.mailServer.mails).toEqual([]);
    expect(await deliveries(id)).toHaveLength(3);
  });

  test('whatever is in its texts, with one recipient and no other header', async () => {
    const hostile = 'x\r\nBcc: eve@example.com\r\n\r\n<script>\u2028\u202e😀';
    const { id, email } = await ask({ visitor_name: hostile, subject: hostile, initial_message: hostile });
    await reply(id, hostile);
    const mail = await own.mailServer.take(email);
    expect(mail.recipients).toEqual([email]);
    expect(mail.headerLines.filter((line) => /^(?:bcc|cc|to|from):/i.test(line))).toHaveLength(2);
    expect(mail.header('Subject')).toBe('Re: x Bcc: eve@example.com <script> 😀');
    expect(mail.html).not.toContain('<script>');
  });

  test('or else the reply is there, and says why its mail is not', async () => {
    const { id } = await ask({ visitor_email: 'ada at example.com' });
    const message = await reply(id);
    const error =
      'The e-mail address of the visitor is not valid. Start a conversation with the right one, and reply there.';
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', error }]);
    expect(await jobsOf(message)).toEqual([]);
    await own.sql(`update conversations set visitor_email = 'corrected@example.com' where id = $1`, [id]);
    await call('messages.retry', { id: message });
    await own.mailServer.take('corrected@example.com');
    await expect.poll(() => deliveries(id)).toMatchObject([{ state: 'sent', error: null }]);
    await expect(call('messages.retry', { id: message })).rejects.toThrow('has not failed');
  });

  test('not if it is of the visitor, or the setting is off, or the service has no mail server', async () => {
    const { id } = await ask();
    await call('settings.update', { key: 'visitor_mail', value: 'off' });
    const unsent = await reply(id);
    expect(await call('session.show', { include: 'visitor_mail' })).toMatchObject({ visitor_mail: 'off' });
    await own.sql(`insert into message_deliveries (message_id, mail_id, state) values ($1, 'x', 'failed')`, [
      unsent,
    ]);
    await expect(call('messages.retry', { id: unsent })).rejects.toThrow(
      'Visitors get no e-mail: the setting visitor_mail is off.',
    );
    await call('settings.update', { key: 'visitor_mail', value: 'on' });
    expect(await call('session.show', { include: 'visitor_mail' })).toMatchObject({ visitor_mail: 'on' });
    await call('messages.create', { conversation_id: id, content: 'Thank you', sender_type: 'visitor' });
    const mail = { ...own.service.services.mail, isConfigured: false };
    const access = localAccess({ ...own.service.services, mail });
    await access.call('messages.create', { conversation_id: id, content: 'Unsent' });
    expect(await access.call('session.show', { include: 'visitor_mail' })).toMatchObject({
      visitor_mail: 'no_server',
    });
    await expect(access.call('messages.retry', { id: unsent })).rejects.toThrow(
      'Visitors get no e-mail: SMTP_URL is not set.',
    );
    expect(await deliveries(id)).toMatchObject([{ state: 'failed' }, null]);
  });
});

describe('a mail server', () => {
  test('that defers a mail gets it again under the same Message-ID, and everybody sees why it waits', async () => {
    own.mailServer.refuse = () => 451;
    const { id, email } = await ask();
    const message = await reply(id);
    const error = expect.stringMatching(
      /^The mail server refused the sender or the address\. It answered: 451 refused/,
    );
    await expect.poll(() => deliveries(id)).toMatchObject([{ state: 'queued', error }]);
    await expect
      .poll(() => jobsOf(message))
      .toMatchObject([{ last_error: expect.stringMatching(/It answered 451\.$/) }]);
    await makeDue(message);
    // Its other mails do not wait.
    own.mailServer.refuse = (recipient) => (recipient === email ? 451 : undefined);
    const other = await ask();
    await reply(other.id);
    await own.mailServer.take(other.email);
    await expect.poll(() => told(message)).toEqual(['queued']);
    Object.assign(own.mailServer, accepting);
    await makeDue(message);
    const mail = await own.mailServer.take(email);
    expect(mail.header('Message-ID')).toMatch(new RegExp(`^<${message}\\.`));
    await expect.poll(() => told(message)).toEqual(['queued', 'sent']);
  });

  test.for([
    ['refuses the address', 550, false],
    ['defers the last attempt', 451, true],
  ] as const)('that %s makes the mail fail, and it can be sent again', async ([, status, isLast]) => {
    own.mailServer.refuse = () => status;
    const { id, email } = await ask();
    const message = await reply(id);
    if (isLast) {
      await expect.poll(() => jobsOf(message)).toMatchObject([{ last_error: expect.any(String) }]);
      await makeDue(message, true);
    }
    const error = expect.stringContaining(`It answered: ${status} refused`);
    await expect.poll(() => deliveries(id)).toMatchObject([{ state: 'failed', error }]);
    await expect.poll(() => jobsOf(message)).toEqual([]);
    Object.assign(own.mailServer, accepting);
    await call('messages.retry', { id: message });
    await own.mailServer.take(email);
    await expect
      .poll(() => told(message))
      .toEqual([...(isLast ? ['queued'] : []), 'failed', 'queued', 'sent']);
    expect(await own.sql('select from failed_mails')).toEqual([]);
  });

  test('that ends in the middle of a mail does not have it', async () => {
    const server = createServer((socket) => {
      const answers = ['250 hello', '250 ok', '250 ok', '354 go on'];
      socket.on('error', () => {}).write('220 here\r\n');
      socket.on('data', () => {
        const answer = answers.shift();
        if (answer === undefined) socket.destroy();
        else socket.write(`${answer}\r\n`);
      });
    });
    const port = await listenOnLoopback(server);
    own.mailServer.refuse = () => 451;
    const { id } = await ask();
    const message = await reply(id);
    await expect.poll(() => jobsOf(message)).toMatchObject([{ last_error: expect.any(String) }]);
    const smtp = createSmtpClient(`smtp://127.0.0.1:${port}`, { name: undefined, address: 'a@example.com' });
    const sending = sendQueuedReply(own.service.services, smtp, message, { isLast: false });
    await expect(sending).rejects.toThrow('Connection to the mail server failed');
    server.close();
    expect(await deliveries(id)).toMatchObject([
      { state: 'queued', error: expect.stringContaining('failed') },
    ]);
  });
});

describe('a mail in the queue', () => {
  /** Makes a reply whose mail waits for its next attempt. */
  async function waiting() {
    own.mailServer.refuse = () => 451;
    const { id, email } = await ask();
    const message = await reply(id);
    await expect.poll(() => jobsOf(message)).toMatchObject([{ last_error: expect.any(String) }]);
    return { id, email, message };
  }

  test.for(['visitors.erase', 'conversations.delete'] as const)(
    'is not sent after %s, and the queue keeps nothing of the visitor',
    async (operation) => {
      const { id, email, message } = await waiting();
      const jobs = await own.sql('select row_to_json(j)::text as job from graphile_worker._private_jobs j');
      expect(JSON.stringify(jobs)).not.toContain(email);
      if (operation === 'visitors.erase') await call(operation, { email });
      else await call(operation, { id });
      Object.assign(own.mailServer, accepting);
      await makeDue(message);
      await expect.poll(() => jobsOf(message)).toEqual([]);
      expect(own.mailServer.mails).toEqual([]);
      expect(await own.sql('select from message_deliveries where message_id = $1', [message])).toEqual([]);
    },
  );

  test('says nothing of an address that was erased, also if the visitor has another now', async () => {
    const { id } = await ask({ visitor_email: 'now@example.com' });
    await own.sql(
      `insert into message_deliveries (message_id, mail_id, state, error)
       select id, 'x-' || id, 'failed', '550 <before@example.com> is unknown' from conversation_messages where conversation_id = $1`,
      [id],
    );
    expect(JSON.stringify(await call('visitors.export', { email: 'before@example.com' }))).toContain(
      'is unknown',
    );
    await call('visitors.erase', { email: 'before@example.com' });
    const rows = await own.sql(`select error from message_deliveries where mail_id like 'x-%'`);
    expect(rows).toEqual([{ error: expect.stringMatching(/^550 <.*erased.*> is unknown$/) }]);
  });

  test('fails if its job is lost, so that somebody sends it again', async () => {
    const { id, email, message } = await waiting();
    await own.sql(`select graphile_worker.remove_job('reply:' || $1)`, [message]);
    await failLostReplies(own.service.services);
    expect(await deliveries(id)).toMatchObject([{ state: 'queued' }]);
    await own.sql(
      `update message_deliveries set changed_at = now() - interval '2 minutes' where message_id = $1`,
      [message],
    );
    await failLostReplies(own.service.services);
    expect(await deliveries(id)).toMatchObject([
      { state: 'failed', error: expect.stringContaining('left the queue') },
    ]);
    Object.assign(own.mailServer, accepting);
    await call('messages.retry', { id: message });
    await own.mailServer.take(email);
    await expect.poll(() => told(message)).toEqual(['queued', 'failed', 'queued', 'sent']);
  });

  test('that has come back is marked once, with the reason, and shown in an export', async () => {
    const { id, email } = await ask();
    const message = await reply(id);
    const mail = await own.mailServer.take(email);
    await expect.poll(() => deliveries(id)).toMatchObject([{ state: 'sent' }]);
    const { observer, databases } = own.service.services;
    const bounce = (mailId: string) =>
      changesOf(databases.primary, serviceActor, { id: 'messages.deliver', changes: ['message.delivered'] })(
        (tx, record) => recordBounce(observer, tx, record, mailId, 'Mailbox full'),
      );
    const mailId = mail.header('Message-ID')?.slice(1, -1) ?? '';
    expect(await bounce(mailId)).toEqual({ conversation_id: id, message_id: message, state: 'bounced' });
    expect([await bounce(mailId), await bounce('of-somebody-else')]).toEqual([null, null]);
    expect(await deliveries(id)).toMatchObject([{ state: 'bounced', error: 'Mailbox full' }]);
    await expect.poll(() => told(message)).toEqual(['sent', 'bounced']);
    const exported = await call('visitors.export', { email });
    expect(exported.conversations[0]?.messages[1]?.delivery).toMatchObject({
      state: 'bounced',
      error: 'Mailbox full',
    });
    expect(exported.conversations[0]?.messages[0]).not.toHaveProperty('delivery');
  });
});

test('without a mailbox, a mail says how else to answer', async () => {
  const { mail } = own.service.services;
  const { site } = own.service.services;
  const unknown = { ...site, publicUrl: undefined };
  own.mailServer.refuse = () => 451;
  const texts: string[] = [];
  for (const [value, where] of [
    ['', site],
    ['1', site],
    ['1', unknown],
  ] as const) {
    const other = { ...own.service.services, mail: { ...mail, replyTo: undefined }, site: where };
    await call('settings.update', { key: 'contact_page', value });
    const { id, email } = await ask();
    const message = await reply(id);
    await expect.poll(() => jobsOf(message)).toMatchObject([{ last_error: expect.any(String) }]);
    Object.assign(own.mailServer, accepting);
    await sendQueuedReply(other, mail.smtp ?? expect.fail(), message, { isLast: false });
    const { text, header } = await own.mailServer.take(email);
    expect(header('Reply-To')).toBeUndefined();
    texts.push(text);
    own.mailServer.refuse = () => 451;
  }
  for (const text of [texts[0], texts[2]])
    expect(text).toContain('\n\nNobody reads answers to this mail.\nSent by Backoffice\n');
  expect(texts[1]).toContain(
    `Nobody reads answers to this mail. To write to us again: ${publicUrl}/contact\n`,
  );
});

test('two instances that send the same queue send each mail once', async () => {
  const other = await startInstance(own, { SMTP_URL: own.mailServer.url });
  const jobs = startJobsOf(other);
  try {
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask()));
    await Promise.all(asked.map(({ id }) => reply(id)));
    const states = async () => (await Promise.all(asked.map(({ id }) => deliveries(id)))).flat();
    await expect.poll(states).toEqual(asked.map(() => expect.objectContaining({ state: 'sent' })));
    const emails = asked.map(({ email }) => email);
    const sent = own.mailServer.mails.splice(0).flatMap(({ recipients }) => recipients);
    // Those of other tests may be tried again now.
    expect(sent.filter((email) => emails.includes(email)).toSorted()).toEqual(emails.toSorted());
  } finally {
    await jobs.stop();
  }
});

test('two installations that get each other’s mails send none by themselves', async () => {
  const [here, there] = ['support@example.com', 'desk@other.example'] as const;
  const env = { SMTP_URL: own.mailServer.url, BACKOFFICE_PUBLIC_URL: 'https://other.example' };
  const service = await startTestService({
    ...env,
    BACKOFFICE_MAIL_FROM: there,
    BACKOFFICE_MAIL_REPLY_TO: there,
  });
  const jobs = startJobsOf(service);
  try {
    const theirs = await service.signIn('superadmin');
    await theirs.client.call('settings.update', { key: 'visitor_mail', value: 'on' });
    /** Brings a mail to an installation, and returns the conversation that it opens or continues there. */
    const bring = async ({ raw }: { raw: string }, to: 'here' | 'there') => {
      const { client } = to === 'here' ? own.superadmin : theirs;
      const message = Buffer.from(raw).toString('base64');
      return (await client.call('mail.receive', { message })).conversation;
    };
    // What a person writes is a question there, and nothing but a person answers it.
    const { id } = await ask({ visitor_email: there });
    const countIn = async (table: string) =>
      (await queryRows(service.databaseUrl, `select from ${table}`)).length;
    const queued = async () => [(await deliveries(id)).length, await countIn('message_deliveries')];
    await reply(id, 'Is that you?');
    const opened = await bring(await own.mailServer.take(there), 'there');
    expect(await queued()).toEqual([1, 0]);
    await theirs.client.call('messages.create', { conversation_id: opened?.id ?? '', content: 'It is.' });
    expect(await bring(await own.mailServer.take('backoffice@backoffice.example.com'), 'here')).toEqual({
      id,
    });
    expect(await queued()).toEqual([1, 1]);

    // Notices of accounts whose address is the mailbox of the other open nothing.
    for (const [{ client }, email, to] of [
      [own.superadmin, there, 'there'],
      [theirs, here, 'here'],
    ] as const) {
      await client.call('invitations.create', { email, role: 'user' });
      expect(await bring(await own.mailServer.take(email), to)).toBeNull();
    }
    expect(await queued()).toEqual([1, 1]);
    await expect.poll(() => countIn('graphile_worker.jobs')).toBe(0);
  } finally {
    await jobs.stop();
    await service.stop();
  }
});
