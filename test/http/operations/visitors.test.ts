import { beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../src/contract/registry.ts';
import { auditRecordsOf } from '../../support/here/rows.ts';
import { backofficeHere } from '../../support/here.ts';
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
    ...{ visitor_email: `my-${email}`, visitor_name: 'Max', subject: `For ${email}` },
    initial_message: `Ask ${email.toLowerCase()}, or my-${email}, o'${email}.`,
  });
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
        ...{ id: own, visitor_email: email, visitor_name: 'Zelda Quux-Müller' },
        ...{ subject: 'Lost parcel 4711', status: 'pending', labels: [], issue_ids: [issue] },
        ...{ created_at: expect.any(String), updated_at: expect.any(String) },
        messages: [
          expect.objectContaining({ sender_type: 'visitor', content: 'Where is my zither?' }),
          expect.objectContaining({ sender_type: 'admin', content: 'We found your zither.' }),
        ],
        comments: [expect.objectContaining({ content: 'She rang twice' })],
        history: [expect.objectContaining({ field: 'status', before: 'open', after: 'pending' })],
      },
    ]);
    const tables = answer.mentions.map(({ table }) => table).sort();
    expect(tables).toEqual(['comments', 'conversation_messages', 'issue_history', 'issues', 'issues']);
    expect(JSON.stringify(answer.audit)).toContain('Failed:\\n');
    const events = ['conversation.created', 'conversation.deleted', 'comment.created', 'issue.created'];
    expect(answer.audit.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
    expect(JSON.stringify(answer.audit)).toContain('Earlier zeppelin');
    const nobody = { email: 'nobody@example.com' };
    const nothing = { conversations: [], mentions: [], audit: [] };
    expect(await client.call('visitors.export', nobody)).toEqual({ ...nobody, ...nothing });
  });
});

describe('DELETE /visitors', () => {
  test('of somebody else, or of a part of the address, leaves everything', async () => {
    const before = await found();
    expect(before.length).toBeGreaterThan(20);
    const others = ['shop@example.com', 'zelda.quux+shop@example', 'example.com', '%', 'nobody@example.com'];
    for (const part of others) expect(await erase(part)).toEqual(nothingErased);
    expect((await found()).length).toBe(before.length);
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
