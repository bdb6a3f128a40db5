import { expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';
import { bounce, writeMail, writeMails } from '../../support/receivers/mails.ts';

const backoffice = backofficeHere();

/** Sends a mail as a mail server would. Resolves with its conversation, or null. */
async function receive(raw: Buffer): Promise<string | null> {
  const headers = { cookie: backoffice.superadmin.cookie, 'content-type': 'message/rfc822' };
  const answer = await backoffice.service.fetch('/api/mail/inbound', {
    method: 'POST',
    headers,
    body: new Uint8Array(raw),
  });
  const { conversation } = (await answer.json()) as { conversation: { id: string } | null };
  expect(answer.status).toBe(202);
  return conversation?.id ?? null;
}

const code = 'abcdefghijklmnopqrstuvwxy2';

/** Makes a conversation with a reply that was sent by mail. */
async function answered(email = 'ada@example.com', ownCode = code) {
  const [row] = await backoffice.sql<{ id: string; message: string }>(
    `with made as (
       insert into conversations (visitor_email, visitor_name, subject, reply_code)
       values ($1, 'Ada', 'An invoice', $2) returning id
     )
     insert into conversation_messages (conversation_id, sender_type, content)
     select id, 'admin', 'It is in your inbox.' from made
     returning conversation_id as id, id as message`,
    [email, ownCode],
  );
  const { id = '', message = '' } = row ?? {};
  const mailId = `${message}.${ownCode}@example.com`;
  await backoffice.sql('insert into message_deliveries (message_id, mail_id, state) values ($1, $2, $3)', [
    message,
    mailId,
    'sent',
  ]);
  return { id, message, mailId, email, code: ownCode };
}

const threadOf = async (conversation_id: string) =>
  (await backoffice.superadmin.client.call('messages.list', { conversation_id, include: 'attachments' }))
    .messages;

async function latestOf(conversation: string): Promise<string> {
  const [row] = await backoffice.sql<{ content: string }>(
    'select content from conversation_messages where conversation_id = $1 order by id desc limit 1',
    [conversation],
  );
  return row?.content ?? '';
}

test('120 mails of all shapes: at least 98 % in the right conversation, none in that of another', async () => {
  const conversation = await answered();
  const mails = writeMails(conversation);
  expect(mails.length).toBeGreaterThanOrEqual(120);
  const wrong: string[] = [];
  let across = 0;
  for (const { name, raw, fate, from, text } of mails) {
    await backoffice.sql(`update conversations set status = 'resolved' where id = $1`, [conversation.id]);
    await backoffice.sql(`update message_deliveries set state = 'sent'`);
    const id = await receive(raw);
    const [delivery] = await backoffice.sql<{ state: string }>('select state from message_deliveries');
    const [row] = await backoffice.sql<{ visitor_email: string; status: string }>(
      'select visitor_email, status from conversations where id = $1',
      [id ?? conversation.id],
    );
    const bounced = delivery?.state === 'bounced' ? 'bounced' : 'none';
    const got = id === null ? bounced : id === conversation.id ? 'same' : 'new';
    if (id !== null && row?.visitor_email !== from) across += 1;
    const reopened = row?.status === (id === null ? 'resolved' : 'open');
    const content = id === null ? '' : await latestOf(id);
    if (got !== fate || !reopened || !content.includes(text ?? ''))
      wrong.push(
        `${name}: ${got}, not ${fate}, ${row?.status}, from ${row?.visitor_email}: ${content.slice(0, 80)}`,
      );
  }
  console.info(`${mails.length - wrong.length} of ${mails.length} mails right, ${across} across senders`);
  expect(across).toBe(0);
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(Math.floor(mails.length * 0.02));
});

const fetchAs = async (path: string) =>
  await backoffice.service.fetch(path, { headers: { cookie: backoffice.superadmin.cookie } });

test('lists attachments by their content, and gives them and the original only as downloads', async () => {
  const raw = writeMail({
    headers: [
      'From: Eve <eve@example.org>',
      'Subject: Files',
      'Message-ID: <files@x.example>',
      'Content-Type: multipart/mixed; boundary=b',
    ],
    body: [
      '--b\nContent-Type: text/plain\n\nSee the files.\n\nOn Monday Bob <bob@example.org> wrote:\n> the old text',
      '--b\nContent-Type: application/pdf; name="evil.pdf"\nContent-Disposition: attachment\n\n<script>alert(1)</script>',
      '--b\nContent-Type: text/html; name="../Grüße \u202e\n x.png"\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=',
      '--b--\n',
    ].join('\n'),
  });
  const id = await receive(raw);
  expect(await receive(raw)).toBeNull();
  const [message] = await threadOf(id ?? '');
  expect(message?.content.slice(0, message.quoted_from ?? 0)).toBe('See the files.');
  expect(message?.attachments).toEqual([
    { part: 1, name: 'evil.pdf', media_type: 'application/octet-stream', bytes: expect.any(Number) },
    { part: 2, name: expect.stringMatching(/^\.\._[^/\u202e\n]*$/), media_type: 'image/png', bytes: 8 },
  ]);
  const path = '/api/admin/messages';
  const file = await fetchAs(`${path}/attachment?id=${message?.id}&part=1`);
  expect(await file.text()).toBe('<script>alert(1)</script>\n');
  const original = await fetchAs(`${path}/source?id=${message?.id}`);
  expect(Buffer.from(await original.arrayBuffer()).equals(raw)).toBe(true);
  for (const { headers } of [file, original]) {
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w. ()-]+"; filename\*=UTF-8''/,
    );
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  const withoutMails = await fetchAs(`${path}?conversation_id=${id}`);
  expect(await withoutMails.text()).not.toContain('attachments');
});

test('a Message-ID that is known suppresses no other mail, and another sender gets a conversation that names the first', async () => {
  const first = await answered('grace@example.com', 'bcdefghijklmnopqrstuvwxyz2');
  const id = 'Message-ID: <same@x.example>';
  const own = { headers: ['From: Grace@Example.com', `To: s+${first.code}@example.com`, id], body: 'Mine' };
  expect(await receive(writeMail(own))).toBe(first.id);
  const forged = {
    headers: ['From: eve@example.org', `To: s+${first.code}@example.com`, id],
    body: 'Forged',
  };
  const other = await receive(writeMail(forged));
  expect(other).not.toBe(first.id);
  const { comments } = await backoffice.superadmin.client.call('comments.list', {
    conversation_id: other ?? '',
  });
  expect(comments.map(({ content }) => content)).toEqual([expect.stringContaining(first.id)]);
  // The answer to the forged mail belongs to its sender.
  const again = ['From: eve@example.org', 'In-Reply-To: <same@x.example>', 'Message-ID: <2@x.example>'];
  expect(await receive(writeMail({ headers: again }))).toBe(other);
});

test('hostile and huge mails become conversations that say so, and nobody else waits', async () => {
  const from = ['From: eve@example.org', 'Content-Type: multipart/mixed; boundary=b'];
  const hostile: Record<string, Buffer> = {
    parts: writeMail({ headers: from, body: `${'--b\n\nx\n'.repeat(10_000)}--b--` }),
    lines: writeMail({ headers: [...from, ...Array.from({ length: 100_000 }, (_, at) => `X-${at}: ${at}`)] }),
    depth: writeMail({
      headers: ['From: eve@example.org', 'Content-Type: text/html'],
      body: `${'<div><table><tr><td>'.repeat(20_000)}Deep`,
    }),
    huge: writeMail({ headers: from, body: Buffer.alloc(50 * 1024 * 1024, 'a') }),
    random: Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 256)),
  };
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const said: Record<string, string> = {};
  for (const [name, raw] of Object.entries(hostile)) {
    const id = await receive(raw);
    said[name] = (await threadOf(id ?? ''))[0]?.content.slice(0, 40) ?? '';
  }
  clearInterval(watch);
  console.info(
    `the event loop waited at most ${Math.round(longest)} ms, also for the mails that the test sends`,
    said,
  );
  expect(said.huge).toMatch(/^This mail is too large to be kept/);
  expect(Object.values(said)).not.toContain('');
  const [{ count = 0 } = {}] = await backoffice.sql<{ count: number }>(
    `select count(*)::int as count from received_mails where source is null`,
  );
  expect(count).toBe(1);
});

test('the export has the originals once, and an erasure deletes those that name the visitor, wherever they do', async () => {
  const { call } = backoffice.superadmin.client;
  const raw = writeMail({
    headers: ['From: Hedy <hedy@example.com>', 'Message-ID: <h@x.example>'],
    body: 'Mine',
  });
  await receive(raw);
  const parts = (...written: string[]) =>
    ['Content-Type: text/plain\n\nHello both', ...written].map((part) => `--b\n${part}\n`).join('');
  const base64 = (text: string, charset: BufferEncoding = 'utf8') =>
    `Content-Transfer-Encoding: base64\n\n${Buffer.from(text, charset).toString('base64')}`;
  const file = (type: string, content: string) =>
    `Content-Type: ${type}; name=f\nContent-Disposition: attachment\n${content}`;
  const inner = `From: x@x.example\nContent-Type: text/html\n${base64('<p>To Hedy&#64;example.com</p>')}`;
  const naming: Record<string, string> = {
    html: parts(`Content-Type: text/html\n${base64('<a href="mailto:hedy%40example.com">write</a>')}`),
    entities: parts(`Content-Type: text/html\n${base64('<p>hedy<b>&#x40;</b>example.com</p>')}`),
    list: parts(file('text/csv', base64('Müller;hedy@example.com', 'latin1'))),
    file: parts(file('application/octet-stream', base64('{"to":"hedy@example.com"}'))),
    mail: parts(file('message/rfc822', `\n${inner}`)),
    other: parts(
      `Content-Type: text/html\n${base64('my-hedy@example.com')}`,
      file('text/csv', base64('hedy')),
    ),
  };
  const sent = { '': 'Hello both', ...naming };
  for (const [name, body] of Object.entries(sent)) {
    const copied = name === '' ? 'Cc: hedy@example.com' : 'Content-Type: multipart/alternative; boundary=b';
    const headers = [
      'From: Eve <eve@example.org>',
      `Subject: For Hedy ${name}`,
      copied,
      `Message-ID: <${name}c@x.example>`,
    ];
    await receive(writeMail({ headers, body: name === '' ? body : `${body}--b--` }));
  }
  const { mails = [], mentions } = await call('visitors.export', { email: 'hedy@example.com' });
  expect(mails.map(({ source }) => source)).toEqual([raw.toString('base64')]);
  expect(mentions.map(({ table }) => table)).toEqual(Array(6).fill('received_mails'));
  await call('visitors.erase', { email: 'hedy@example.com' });
  const rows = await backoffice.sql<{ id: string; subject: string; addresses: string; kept: boolean }>(
    `select m.id, subject, addresses, source is not null as kept
     from received_mails r join conversation_messages m on m.id = message_id join conversations c on c.id = conversation_id
     where subject like 'For Hedy%' order by m.id`,
  );
  expect(rows.flatMap(({ subject, kept }) => (kept ? [subject] : []))).toEqual(['For Hedy other']);
  expect(rows.map(({ addresses }) => addresses).join(' ')).not.toMatch(/(?<!my-)hedy(@|%40)/i);
  expect((await fetchAs(`/api/admin/messages/source?id=${rows[0]?.id}`)).status).toBe(400);
});

test('a bounce marks its reply with the reason', async () => {
  const { mailId, message } = await answered('ada@example.net', 'cdefghijklmnopqrstuvwxyz23');
  expect(await receive(bounce(mailId))).toBeNull();
  const [row] = await backoffice.sql('select state, error from message_deliveries where message_id = $1', [
    message,
  ]);
  expect(row).toEqual({ state: 'bounced', error: '550 5.1.1 No such user' });
});
