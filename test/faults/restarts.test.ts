import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findFreePort } from '../../src/db/embedded/server.ts';
import { connectDatabases } from '../../src/db/replica/databases.ts';
import { checkConversationPreviews } from '../../src/db/tables/conversations/conversations.ts';
import { withClient } from '../support/postgres/server.ts';
import { databaseHere } from '../support/postgres.ts';
import { disagreements, serveProcess } from '../support/run/server.ts';
import { createTokenIn, InsistentWriter, startSteadyLoad } from './support/load.ts';
import { restartInTurn } from './support/rolling-restart.ts';

const kills = 20;
/** `REQUESTS_PER_SECOND=50 npm run test:faults` sends fewer, on a machine that is slow or busy. */
const requestsPerSecond = Number(process.env.REQUESTS_PER_SECOND ?? 200);
/** As many as are without an answer while the server is down and starts, and some more. */
const clients = 600;

const own = databaseHere();
const rolling = databaseHere();

test('a server that is killed 20 times under 200 writes a second loses and repeats no write', async () => {
  const token = await createTokenIn(own.url);
  const port = await findFreePort();
  const start = () => serveProcess(own.url, { PORT: String(port) });
  const writer = new InsistentWriter(`http://127.0.0.1:${port}`, token);
  const acknowledged = {
    issues: new Map<string, number>(),
    conversations: new Map<string, string>(),
    replies: new Map<string, number>(),
  };

  /** Each third unit is two writes: a conversation with its first message, then a reply to it. */
  async function write(number: number): Promise<void> {
    if (number % 3 !== 0) {
      const title = `Issue ${number}`;
      const { id } = await writer.post('/issues', { title }, title);
      acknowledged.issues.set(title, Number(id));
      return;
    }
    const subject = `Conversation ${number}`;
    const visitor = { visitor_email: `visitor-${number}@example.com`, visitor_name: 'Ada', subject };
    const started = { ...visitor, initial_message: `Question ${number}` };
    const { conversation } = await writer.post('/conversations', started, subject);
    const { id: conversation_id } = conversation as { id: string };
    acknowledged.conversations.set(subject, conversation_id);
    const reply = { conversation_id, sender_type: 'admin', content: `Reply ${number}` };
    const { id } = await writer.post('/messages', reply, reply.content);
    acknowledged.replies.set(reply.content, Number(id));
  }

  let server = await start();
  let upSince = performance.now();
  let upMs = 0;
  const load = startSteadyLoad((requestsPerSecond * 3) / 4, write, clients);
  for (let kill = 0; kill < kills; kill++) {
    await pause(5_000 + Math.random() * 1_000);
    await server.command.stop('SIGKILL');
    upMs += performance.now() - upSince;
    server = await start();
    upSince = performance.now();
  }
  await pause(1_000);
  const { sent, failures } = await load.finish();
  upMs += performance.now() - upSince;
  await server.command.stop();
  expect(failures).toEqual({});

  await withClient(own.url, async (client) => {
    const rowsOf = async <Id>(query: string) =>
      new Map((await client.query<{ name: string; id: Id }>(query)).rows.map(({ name, id }) => [name, id]));
    const count = async (query: string) =>
      Number((await client.query(`select count(*) from ${query}`)).rows[0].count);
    const { issues, conversations, replies } = acknowledged;
    // Each acknowledged write is there, under the id of its answer, and there is nothing else.
    expect(await rowsOf('select title as name, id::int from issues')).toEqual(issues);
    expect(await rowsOf('select subject as name, id from conversations')).toEqual(conversations);
    expect(
      await rowsOf(`select content as name, id::int from conversation_messages where sender_type = 'admin'`),
    ).toEqual(replies);
    expect(await count('issues')).toBe(issues.size);
    expect(await count('conversation_messages')).toBe(2 * replies.size);
    expect(issues.size + replies.size).toBe(sent);
    // No conversation is half of what was written: each has its question, its reply and nothing else.
    expect(
      await count(
        `conversations as c where array(
           select m.content from conversation_messages as m where m.conversation_id = c.id order by m.id
         ) <> array[replace(subject, 'Conversation', 'Question'), replace(subject, 'Conversation', 'Reply')]
         or updated_at < (select max(created_at) from conversation_messages as m where m.conversation_id = c.id)`,
      ),
    ).toBe(0);
    // Each has its event and its audit record.
    for (const [event, changes] of [
      ['message.created', 2 * replies.size],
      ['conversation.created', conversations.size],
      ['issue.created', issues.size],
    ] as const) {
      expect(await count(`events where type = '${event}'`)).toBe(changes);
      expect(await count(`audit_records where event = '${event}'`)).toBe(changes);
    }
  });
  const databases = connectDatabases({ databaseUrl: own.url });
  expect(await checkConversationPreviews(databases.primary)).toEqual([]);
  await databases.close();
  expect(await disagreements(own.url)).toEqual([]);
  const { issues, conversations, replies } = acknowledged;
  const writes = issues.size + conversations.size + replies.size;
  const perSecond = Math.round((1_000 * writes) / upMs);
  console.log(
    `${writes} writes acknowledged, ${perSecond} in each second that the server ran, ${kills} kills, ${writer.retries} requests sent again; 0 lost, 0 twice`,
  );
  // Fewer would prove less.
  expect(perSecond).toBeGreaterThanOrEqual(0.9 * requestsPerSecond);
});

test('two instances are restarted in turn under load with 20 followers', async () => {
  const { sent, failures, events, received } = await restartInTurn({
    async start() {
      const { url, command } = await serveProcess(rolling.url, { BACKOFFICE_DRAIN_SECONDS: '5' });
      return { url, stop: async () => expect((await command.stop('SIGTERM')).code).toBe(0) };
    },
    databaseUrl: rolling.url,
    token: await createTokenIn(rolling.url),
    requestsPerSecond,
    followers: 20,
    rounds: 2,
    steadyMs: 2_000,
    checkMs: 500,
  });
  const missed = received.map((ids) => events.filter((id) => !ids.includes(id)).length);
  console.log(`${sent} requests, ${events.length} events, ${Math.max(...missed)} missed by any follower`);
  expect(failures).toEqual({});
  for (const ids of received) expect(ids).toEqual(events);
});
