import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/db/embedded/server.ts';
import { withClient } from '../support/postgres/server.ts';
import { databaseHere } from '../support/postgres.ts';
import { startMailServer } from '../support/receivers/mail.ts';
import { serveProcess } from '../support/run/server.ts';
import { createTokenIn, InsistentWriter } from './support/load.ts';

const replies = 300;
const testMs = 60_000;
const killEveryMs = 3_000;
const conversations = 30;

const own = databaseHere();

test('300 replies are mailed once each by a server that is killed every three seconds for a minute', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.close());
  const token = await createTokenIn(own.url);
  const port = await findFreePort();
  const start = () => serveProcess(own.url, { PORT: String(port), SMTP_URL: mailServer.url });
  let server = await start();
  onTestFinished(async () => void (await server.command.stop('SIGKILL')));
  const writer = new InsistentWriter(`http://127.0.0.1:${port}`, token);
  const ids: string[] = [];
  await withClient(own.url, async (client) => {
    await client.query(`insert into settings (setting_key, setting_value) values ('visitor_mail', 'on')`);
    for (let number = 0; number < conversations; number++) {
      const { rows } = await client.query(
        `insert into conversations (visitor_email, visitor_name) values ($1, 'Ada') returning id`,
        [`visitor-${number}@example.com`],
      );
      ids.push(rows[0].id);
    }
  });

  const writing = (async () => {
    for (let number = 0; number < replies; number++) {
      const reply = { conversation_id: ids[number % conversations], content: `Reply ${number}` };
      await writer.post('/messages', reply, reply.content);
      await pause((testMs * 0.8) / replies);
    }
  })();
  const end = performance.now() + testMs;
  let kills = 0;
  while (performance.now() < end) {
    await pause(killEveryMs);
    await server.command.stop('SIGKILL');
    kills += 1;
    server = await start();
  }
  await writing;

  const states = () =>
    withClient(own.url, async (client) => {
      const { rows } = await client.query(
        `select state, count(*)::int from message_deliveries group by state`,
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    });
  await expect.poll(states, { timeout: 120_000, interval: 500 }).toEqual({ sent: replies });
  const sent = await withClient(own.url, async (client) => {
    const { rows } = await client.query<{ mail_id: string }>('select mail_id from message_deliveries');
    return rows.map(({ mail_id }) => `<${mail_id}>`);
  });
  const received = mailServer.mails.map((mail) => mail.header('Message-ID') ?? '');
  expect([...new Set(received)].sort()).toEqual(sent.sort());
  // A mail that was under way at a kill may arrive again, under the same Message-ID.
  expect(received.length - sent.length).toBeLessThanOrEqual(2 * kills);
  console.log(`${kills} kills, ${received.length} mails with ${sent.length} Message-IDs`);
});
