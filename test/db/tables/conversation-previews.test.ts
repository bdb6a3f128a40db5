import fc from 'fast-check';
import { type FragmentSqlToken, sql } from 'slonik';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { rowAsJson } from '../../../src/db/lists/list-query.ts';
import { conversationList } from '../../../src/db/tables/conversations/conversation-list.ts';
import {
  checkConversationPreviews,
  rebuildConversationPreviews,
} from '../../../src/db/tables/conversations/conversations.ts';
import {
  insertMessage,
  lockDraft,
  markConversationRead,
} from '../../../src/db/tables/conversations/messages.ts';
import { connectClients, databaseHere } from '../../support/postgres.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { checkAfter, statements, transactionsOf } from '../random-statements.ts';

const own = databaseHere();
const conversations = 6;

beforeEach(async () => {
  await own.sql('delete from conversations');
  await own.sql(
    `insert into conversations (id, visitor_email, visitor_name)
     select 'c' || n, 'v@example.com', 'V' from generate_series(0, $1::integer - 1) as n`,
    [conversations],
  );
});

const textRow = z.object({ text: z.string() });

/** Returns the rows of the list, and checks that the texts that are kept are those of its rows. */
async function readList() {
  const { columns, source, keptText } = conversationList({});
  const read = (text: FragmentSqlToken) =>
    own.pool.anyFirst(sql.type(textRow)`select ${text} as text ${source} order by c.id`);
  const made = await read(rowAsJson(columns));
  expect(
    await read(sql.fragment`coalesce(${keptText ?? sql.fragment`null`}, ${rowAsJson(columns)})`),
  ).toEqual(made);
  return made.map((text) => JSON.parse(text));
}

/** Returns what the messages themselves say. */
function readMessages() {
  return own.sql(`
    select c.id, newest.content as last_message,
      to_char(newest.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_message_at,
      (
        select count(*)::integer from conversation_messages m
        where m.conversation_id = c.id and sender_type = 'visitor' and status = 'sent'
      ) as unread_count
    from conversations c
    left join lateral (
      select content, created_at from conversation_messages m
      where m.conversation_id = c.id
      order by created_at desc, id desc
      limit 1
    ) newest on true
    order by c.id
  `);
}

async function expectRightPreviews(): Promise<void> {
  expect(await checkConversationPreviews(own.pool)).toEqual([]);
  expect(await readList()).toMatchObject(await readMessages());
}

const conversation = fc.integer({ min: 0, max: conversations - 1 }).map((n) => `'c${n}'`);
/** Few times, so that many messages have the same one, in the past and in the future. */
const time = fc
  .integer({ min: -3, max: 2 })
  .map((hours) => `date_trunc('hour', now()) + interval '${hours} hours'`);
/** On both sides of the length up to which a text is kept twice. */
const text = fc.constantFrom(
  `'short'`,
  `'quoted "text"'`,
  `repeat('x', 1000)`,
  `repeat('é', 501)`,
  `repeat('long ', 4000)`,
);
const some = fc.integer({ min: 0, max: 4 }).map((remainder) => `id % 5 = ${remainder}`);

const statement = fc.oneof(
  statements(
    5,
    [time, text, fc.integer({ min: 1, max: 12 }), fc.boolean()],
    (at, content, count, forward) =>
      `insert into conversation_messages (conversation_id, sender_type, content, created_at)
       select 'c' || n % ${conversations}, (array['visitor', 'admin'])[1 + n % 2], ${content}, ${at}
       from generate_series(1, ${count}) as n order by n ${forward ? '' : 'desc'}`,
  ),
  statements(
    2,
    [conversation, some],
    (id, rows) => `delete from conversation_messages where conversation_id = ${id} or ${rows}`,
  ),
  statements(
    6,
    [
      fc.oneof(
        text.map((to) => `content = ${to}`),
        time.map((to) => `created_at = ${to}`),
        conversation.map((to) => `conversation_id = ${to}`),
      ),
      some,
    ],
    (change, rows) => `update conversation_messages set ${change} where ${rows}`,
  ),
  statements(
    2,
    [conversation],
    (id) => `update conversation_messages set status = 'read' where conversation_id = ${id}`,
  ),
  statements(
    1,
    [conversation, some],
    (to, rows) =>
      `update conversation_messages set status = case status when 'sent' then 'read' else 'sent' end,
       sender_type = case when id % 2 = 0 then 'admin' else 'visitor' end, conversation_id = ${to} where ${rows}`,
  ),
);

/** Neither sees rows that came after an old snapshot. */
const wholeTable = fc.oneof(
  { weight: 8, arbitrary: statement },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'truncate conversation_messages cascade',
      'select rebuild_conversation_previews()',
    ),
  },
);

const transaction = fc.oneof(
  { weight: 2, arbitrary: transactionsOf(wholeTable) },
  { weight: 1, arbitrary: transactionsOf(statement, 'begin isolation level repeatable read') },
);

test('after any concurrent transactions the lists say what the messages say', async () => {
  const clients = await connectClients(own, 3);
  await checkAfter(transaction, { clients, perClient: 4, runs: isSlowRun ? 30 : 8 }, expectRightPreviews);
});

test('a deleted conversation leaves no preview, and a rebuild repairs those that were written past the triggers', async () => {
  await own.sql(`
    insert into conversation_messages (conversation_id, sender_type, content)
    values ('c0', 'visitor', 'Hello'), ('c1', 'visitor', 'Hi'), ('c2', 'visitor', 'Gone');
    delete from conversations where id = 'c2'
  `);
  await expectRightPreviews();
  await own.sql(`
    delete from conversation_previews where conversation_id = 'c0';
    update conversation_previews set unread_count = 7 where conversation_id = 'c1'
  `);
  const differences = await checkConversationPreviews(own.pool);
  expect(differences).toEqual([
    { conversation_id: 'c0', kept: null, actual: expect.any(Number) },
    { conversation_id: 'c1', kept: differences[1]?.actual, actual: expect.any(Number) },
  ]);
  await rebuildConversationPreviews(own.pool);
  await expectRightPreviews();
});

test.for([
  `update conversation_messages set status = 'read'`,
  `update conversation_messages set content = content || '!'`,
  `delete from conversation_messages where id in (select id from conversation_messages order by id limit 1)`,
])('plain SQL beside the service, one message at a time, does not deadlock: %s', async (statement) => {
  const add = () =>
    insertMessage(own.pool, {
      conversation_id: 'c0',
      sender_type: 'visitor',
      content: 'Hi',
      sent_by: null,
      from_draft_of: null,
    });
  // The service marks one message at a time: two statements may take several messages in different orders.
  const plain = await own.connect();
  await plain.query(`set deadlock_timeout = '20ms'`);
  const serve = async () => {
    for (let round = 0; round < 15; round++) {
      const added = await add();
      await own.pool.transaction((tx) => lockDraft(tx, added?.id ?? null));
      await own.pool.transaction((tx) => markConversationRead(tx, 'c0', undefined));
    }
  };
  const write = async () => {
    for (let round = 0; round < 30; round++) await plain.query(statement);
  };
  await Promise.all([serve(), write()]);
  await expectRightPreviews();
});
