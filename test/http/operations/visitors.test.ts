import { sql } from 'slonik';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { textRow } from '../../../src/db/tables/statements.ts';
import { mentions, personWith } from '../../../src/db/tables/visitors/person.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
import { duringTransaction, untilBlocked } from '../../support/postgres.ts';
import { backoffice as command } from '../../support/run.ts';

const backoffice = backofficeHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });

const email = 'Zelda.Quux+shop@example.com';
/** Everything that tells of the visitor, lower-cased. */
const traces = [
  'zelda.quux+shop@example.com',
  'zelda.quux%2bshop%40example.com',
  'zelda quux-müller',
  'lost parcel 4711',
  'where is my zither',
  'we found your zither',
  'she rang twice',
  'earlier zeppelin',
];

/** Returns the lines of all tables of the database, as a dump has them, that have a trace, after their tables' names. */
async function found(): Promise<string[]> {
  const tables = await backoffice.sql<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'p', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await backoffice.sql<{ line: string }>(`select lower(t::text) as line from ${name} as t`);
    const matching = rows.filter(({ line }) => traces.some((text) => line.includes(text)));
    lines.push(...matching.map(({ line }) => `${name}: ${line}`));
  }
  return lines;
}

/** Creates a conversation, of the visitor by default. */
async function create(fields: Partial<InputOf<'conversations.create'>>): Promise<string> {
  const visitor = { visitor_email: email, visitor_name: 'Zelda Quux-Müller' };
  const given = { ...visitor, initial_message: 'Where is my zither?', ...fields };
  const { conversation } = await backoffice.superadmin.client.call('conversations.create', given);
  return conversation.id;
}

const erase = async (address: string) =>
  (await backoffice.api.delete(`/visitors?email=${encodeURIComponent(address)}`)).body;
const nothingErased = { success: true, conversations: 0, messages: 0, redacted: 0 };

let own: string;
let other: string;
let issue: number;

beforeAll(async () => {
  const { api } = backoffice;
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/' });
  own = await create({ subject: 'Lost parcel 4711' });
  // Case and spaces differ; it is deleted before the visitor is erased.
  const earlier = await create({ visitor_email: ` ${email.toUpperCase()}`, subject: 'Earlier zeppelin' });
  await api.post('/comments', { conversation_id: earlier, content: 'She rang twice' });
  await api.delete(`/conversations?id=${earlier}`);
  other = await create({
    visitor_email: `my-${email}`,
    visitor_name: 'Max',
    subject: `For ${email}`,
    initial_message: `Ask ${email.toLowerCase()}, or my-${email}, o'${email}.`,
  });
  await api.patch('/conversations', { ids: [other], set: { add_labels: [`for ${email}`] } });
  await backoffice.sql('update conversations set page = $1 where id = $2', [
    `https://shop.example.com/?of=${email}`,
    other,
  ]);
  await api.post('/saved-replies', { shortcut: 'zelda', title: `To ${email}`, content: 'Hello' });
  await backoffice.sql(
    `with run as (insert into scraping_runs (source) values ('shop') returning run_id)
     insert into scraping_errors (run_id, message) select run_id, 'No page of ' || $1 from run`,
    [email],
  );
  await api.post('/messages', { conversation_id: own, content: 'We found your zither.' });
  await api.post('/comments', { conversation_id: own, content: 'She rang twice' });
  await api.put('/conversations', { id: own, status: 'pending' });
  const created = await api.post('/issues', { title: `Reported by ${email}`, description: 'Broken' });
  issue = (created.body as { id: number }).id;
  await api.patch('/issues', { ids: [issue], set: { add_labels: [`asked ${email}`] } });
  await api.post('/comments', { issue_id: issue, content: `Tell ${email}` });
  await api.post('/links', { issue_id: issue, conversation_id: own });
  // As programs write it: on a line of its own, in quotes, in URLs.
  await api.post('/issues', {
    title: `Failed:\n${email}`,
    description: `'${email}' ?u=${email}& mailto:${encodeURIComponent(email)} %20${encodeURIComponent(email)}`,
  });
  await backoffice.service.services.publisher.catchUp();
  // One whose audit record is gone, and one whose receiver answers with the address.
  await backoffice.sql(
    `insert into events (id, type, actor, data) values (0, 'issue.created', 'tests', jsonb_build_object('title', $1::text))`,
    [`Old ${email}`],
  );
  await backoffice.sql(
    `update webhook_deliveries set response_body = 'Not found: ' || $1
     where type = 'message.created' and payload like '%' || $2 || '%'`,
    [email, other],
  );
  await backoffice.sql(
    `
    insert into recorded_changes (origin, operation, event, subject_id, after)
    select '{"kind": "admin", "name": "tests", "door": "http"}', 'conversations.create', 'conversation.created', $1,
      jsonb_build_object('visitor_email', $2::text, 'subject', 'Lost parcel 4711', 'status', 'open')
  `,
    [own, email],
  );
});

describe('GET /visitors', () => {
  test('returns everything about the visitor, and nothing about others', async () => {
    const { client } = backoffice.superadmin;
    const answer = await client.call('visitors.export', { email: email.toLowerCase() });
    expect(answer.conversations).toEqual([
      {
        id: own,
        visitor_email: email,
        visitor_name: 'Zelda Quux-Müller',
        ...{
          subject: 'Lost parcel 4711',
          status: 'pending',
          labels: [],
          channel: 'api',
          page: null,
          issue_ids: [issue],
        },
        created_at: expect.any(String),
        updated_at: expect.any(String),
        messages: [
          expect.objectContaining({ sender_type: 'visitor', content: 'Where is my zither?' }),
          expect.objectContaining({ sender_type: 'admin', content: 'We found your zither.' }),
        ],
        comments: [expect.objectContaining({ content: 'She rang twice' })],
        history: [expect.objectContaining({ field: 'status', before: 'open', after: 'pending' })],
      },
    ]);
    const mentioned = new Set(answer.mentions.map(({ table }) => table));
    expect(answer.mentions.filter(({ id }) => id === other)).toEqual([
      expect.objectContaining({
        table: 'conversations',
        texts: {
          visitor_name: 'Max',
          subject: `For ${email}`,
          labels: `for ${email}`,
          page: `https://shop.example.com/?of=${email}`,
        },
      }),
    ]);
    const unaudited = answer.mentions.filter(({ texts }) => 'data' in texts || 'payload' in texts);
    expect(unaudited.map(({ table }) => table)).toEqual(['events', 'webhook_deliveries']);
    // Every place that has a trace, and those that repeat others.
    const repeating = ['conversation_search', 'conversation_previews', 'issue_search', 'recorded_changes'];
    const places = (await found()).map((line) => line.split(':', 1)[0]?.replace('public.', ''));
    expect(new Set([...places, ...repeating])).toEqual(
      new Set([...mentioned, ...repeating, 'audit_records']),
    );
    expect(JSON.stringify(answer.audit)).toContain('Failed:\\n');
    const events = ['conversation.created', 'conversation.deleted', 'comment.created', 'issue.created'];
    expect(answer.audit.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
    expect(JSON.stringify(answer.audit)).toContain('Earlier zeppelin');
    const nobody = { email: 'nobody@example.com' };
    const nothing = { conversations: [], mentions: [], audit: [] };
    expect(await client.call('visitors.export', nobody)).toEqual({ ...nobody, ...nothing });
  });
});

/** An address, texts in which it is found, and texts with longer addresses. */
const boundaries: readonly (readonly [address: string, found: readonly string[], left: readonly string[]])[] =
  [
    [
      'lee@example.org',
      [
        'lee@example.org로 보내주세요',
        '메일은lee@example.org입니다',
        '请联系lee@example.org谢谢',
        'lee@example.org。',
        'メールはlee@example.orgまで',
        'ส่งที่lee@example.orgนะ',
        'ל-lee@example.org',
        'почтаlee@example.org',
        'Írj a lee@example.org-ra.',
        'lee@example.org-Adresse',
        'Lee@Example.ORG.',
        '<lee@example.org>',
        '{"a":"b\\nlee@example.org\\n"}',
        '\\u003clee@example.org\\u003e',
        '%3Clee%40example.org%3E',
      ],
      [
        'ylee@example.org',
        'élee@example.org',
        'e\u0301lee@example.org',
        'my-lee@example.org',
        'lee@example.organic',
        'lee@example.orgé',
        'lee@example.org.uk',
        'lee@example.org-mail.de',
      ],
    ],
    [
      'rg@example.org',
      ['rg@example.org'],
      ['jörg@example.org', 'jo\u0308rg@example.org', 'j%C3%B6rg%40example.org'],
    ],
    ['123456@qq.com', ['邮箱123456@qq.com'], ['7123456@qq.com', 'a123456@qq.com']],
    ['lee@mail', ['lee@mail', 'lee@mail로'], ['lee@mail.org', 'lee@mail-shop']],
    ['李@例子.中国', ['请联系：李@例子.中国谢谢'], ['王李@例子.中国', '李@例子.中国abc']],
    ['иван@пример.рф', ['Пишите: иван@пример.рф.'], ['диван@пример.рф', 'иван@пример.рфю']],
    [
      'jörg@münchen.example',
      ['jo\u0308rg@mu\u0308nchen.example', 'jörg@xn--mnchen-3ya.example'],
      ['g@münchen.example'],
    ],
    [
      'ada@xn--mnchen-3ya.example',
      ['ada@münchen.example', 'ada%40m%C3%BCnchen.example'],
      ['ada@mnchen.example'],
    ],
    [
      'o"h\\a@example.org',
      ['o"h\\a@example.org', '{"a":"o\\"h\\\\a@example.org"}', 'o%22h%5Ca@example.org'],
      [],
    ],
  ];

test.for(boundaries)('%s is found whole, whatever stands beside it', async ([address, found, left]) => {
  const { primary } = backoffice.service.services.databases;
  const texts = await primary.anyFirst(sql.type(textRow)`
    select text from unnest(${sql.array([...found, ...left], 'text')}) as text
    where ${mentions(personWith(address), sql.fragment`text`)}
  `);
  expect(texts).toEqual(found);
});

describe('a visitor whose address is stored with something around it', () => {
  const eve = 'eve."x@example.org';
  const forms = [`${eve}\n`, `\u00a0${eve}`, `Eve <${eve}>`, `mailto:${eve}`, `a@example.org, ${eve}`, eve];
  const others = [`st${eve}`, `Eve <${eve}.uk>`];

  test('is exported and erased, also where JSON escapes the address', async () => {
    const ids: string[] = [];
    for (const visitor_email of forms) ids.push(await create({ visitor_email, visitor_name: 'Eve' }));
    for (const visitor_email of others)
      await create({ visitor_email, visitor_name: 'Steve', initial_message: 'Hi' });
    await backoffice.api.post('/issues', { title: `Ask "${eve}"` });
    const { client } = backoffice.superadmin;
    const { conversations, audit } = await client.call('visitors.export', { email: eve });
    expect(conversations.map(({ id }) => id).sort()).toEqual(ids.sort());
    const titles = audit.filter(({ event }) => event === 'issue.created').map(({ after }) => after?.title);
    expect(titles).toEqual([`Ask "${eve}"`]);
    expect(await erase(eve)).toMatchObject({ conversations: forms.length });
    const left = await backoffice.sql('select visitor_email from conversations where visitor_name ~ $1', [
      '[Ee]ve',
    ]);
    expect(left.map(({ visitor_email }) => visitor_email).sort()).toEqual([...others].sort());
    const records = await backoffice.sql('select from audit_records where (before, after)::text ~ $1', [
      '\\meve.{1,6}x@',
    ]);
    expect(records).toHaveLength(others.length - 1);
  });
});

describe('DELETE /visitors', () => {
  test.for([
    [`email=${encodeURIComponent(email)}&email=nobody%40example.com`],
    [`email=nobody%40example.com&email=${encodeURIComponent(email)}`],
    ['email=zelda.quux+shop@example.com'],
    ['email=+shop@example.com'],
  ])('of no single address is refused: %s', async ([query]) => {
    for (const method of ['get', 'delete'] as const) {
      const { status, body } = await backoffice.api[method](`/visitors?${query}`);
      expect([status, body]).toEqual([400, { error: expect.stringMatching(/^email (must be|is given)/) }]);
    }
  });

  test('of somebody else, or of a part of the address, leaves everything', async () => {
    const before = await found();
    expect(before.length).toBeGreaterThan(20);
    const others = ['shop@example.com', 'zelda.quux+shop@example', 'example.com', '%', 'nobody@example.com'];
    for (const part of others) expect(await erase(part)).toEqual(nothingErased);
    expect((await found()).length).toBe(before.length);
  });

  test('lets others publish while it reads the trail', async () => {
    const someEvent = `select from events where data::text ~ $1 for update`;
    await create({ visitor_email: 'slow@example.org' });
    await backoffice.service.services.publisher.catchUp();
    let erasing: Promise<unknown> | undefined;
    await duringTransaction(backoffice, [someEvent, ['slow@example.org']], async () => {
      erasing = erase('slow@example.org');
      await untilBlocked(backoffice);
      const free = `select pg_try_advisory_xact_lock(hashtext('backoffice'), hashtext('events')) as free`;
      // The publisher of the service has it for moments.
      await expect.poll(() => backoffice.sql(free), { timeout: 5_000 }).toEqual([{ free: true }]);
    });
    expect(await erasing).toMatchObject({ conversations: 1 });
  });

  test('leaves no trace of the visitor in a full dump', async () => {
    const facts =
      'select id, created_at, actor_name, operation, event, subject_id from audit_records order by id';
    await backoffice.service.services.publisher.catchUp();
    const before = await backoffice.sql(facts);
    const env = { DATABASE_URL: backoffice.service.databaseUrl };
    const erased = await command(['visitors', 'erase', `${email} `, '--yes', '--json'], { env });
    expect(erased).toMatchObject({ code: 0 });
    const counts = { conversations: 1, messages: 2, redacted: expect.any(Number) };
    expect(JSON.parse(erased.stdout)).toEqual({ success: true, ...counts });
    await backoffice.service.services.publisher.catchUp();
    // The longer addresses of others stay.
    const withoutOthers = (line: string) =>
      line.replaceAll(`my-${traces[0]}`, '').replaceAll(`o'${traces[0]}`, '');
    const rest = (await found()).filter((line) => traces.some((text) => withoutOthers(line).includes(text)));
    expect(rest).toEqual([]);
    // The trail keeps who did what, when and to which row.
    expect((await backoffice.sql(facts)).slice(0, before.length)).toEqual(before);
    expect(await backoffice.sql('select from audit_records where redacted_at is not null')).not.toEqual([]);
    expect(await command(['audit', 'verify'], { env })).toMatchObject({ code: 0 });
    expect(await erase(email)).toEqual(nothingErased);
  });

  test('keeps what others wrote, without the address', async () => {
    const thread = await backoffice.superadmin.client.call('messages.list', { conversation_id: other });
    expect(thread.conversation).toMatchObject({ visitor_email: `my-${email}`, subject: 'For [erased]' });
    expect(thread.messages.map(({ content }) => content)).toEqual([
      `Ask [erased], or my-${email}, o'${email}.`,
    ]);
    const [row] = await backoffice.sql('select title, labels from issues where id = $1', [issue]);
    expect(row).toEqual({ title: 'Reported by [erased]', labels: ['asked [erased]'] });
  });

  test('tells followers, and records a digest instead of the address', async () => {
    const records = await auditRecordsOf(backoffice, 'visitors.erase');
    const digest = backoffice.service.services.secretBox
      .digest(email.toLowerCase(), 'erased visitor')
      .toString('hex');
    const before = { visitor_email: '[erased]', subject: '[erased]', status: 'pending' };
    const after = expect.objectContaining({ digest, conversations: 1, messages: 2 });
    for (const record of [
      { event: 'conversation.deleted', subject_id: own, before, after: null },
      { event: 'visitor.erased', subject_id: null, before: null, after },
    ])
      expect(records).toContainEqual(record);
  });

  test('leaves the names in the audit trail unchangeable', async () => {
    await expect(
      backoffice.sql(`do $$ begin
        perform set_config('backoffice.redacts_audit', pg_current_xact_id()::text, true);
        update audit_records set redacted_at = now(), actor_name = 'x';
      end $$`),
    ).rejects.toThrow('append-only');
  });
});
