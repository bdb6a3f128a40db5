import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withClient } from '../support/postgres/server.ts';
import { databaseHere } from '../support/postgres.ts';
import { writeMail } from '../support/receivers/mails.ts';
import { serveProcess } from '../support/run/server.ts';
import { startDovecot } from './support/dovecot.ts';

const database = databaseHere();
const mails = 300;
const seconds = 60;

test('300 mails while the server is killed every 3 seconds for a minute: none is lost, none is doubled', async () => {
  const dovecot = await startDovecot();
  let server = await serveProcess(database.url, { IMAP_URL: dovecot.url, PORT: '0' });
  try {
    const end = performance.now() + seconds * 1_000;
    const delivered = (async () => {
      for (let at = 0; at < mails; at += 1) {
        const headers = [
          `From: v${at % 20}@example.com`,
          `Subject: Mail ${at}`,
          `Message-ID: <${at}@x.example>`,
        ];
        dovecot.deliver(writeMail({ headers, body: `Mail ${at}` }));
        await pause((seconds * 1_000) / mails);
      }
    })();
    let kills = 0;
    while (performance.now() < end) {
      await pause(3_000);
      server.command.process.kill('SIGKILL');
      await server.command.finished;
      kills += 1;
      server = await serveProcess(database.url, { IMAP_URL: dovecot.url, PORT: '0' });
    }
    await delivered;
    const contents = () =>
      withClient(database.url, async (client) => {
        const { rows } = await client.query('select content from conversation_messages');
        return rows.map(({ content }) => Number(String(content).slice(5)));
      });
    await expect.poll(async () => new Set(await contents()).size).toBe(mails);
    await expect.poll(() => dovecot.unseen()).toBe(0);
    const found = await contents();
    console.info(
      `${kills} kills, ${mails} mails: ${mails - new Set(found).size} lost, ${found.length - new Set(found).size} doubled`,
    );
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: mails }, (_, at) => at));
  } finally {
    server.command.process.kill('SIGKILL');
    await dovecot.stop();
  }
});
