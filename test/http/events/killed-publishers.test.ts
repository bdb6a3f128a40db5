import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createClient, ResponseError } from '../../../src/contract/client/client.ts';
import { connectDatabases } from '../../../src/db/replica/databases.ts';
import { addAccount } from '../../support/here/accounts.ts';
import { createApiToken } from '../../support/here/tokens.ts';
import { databaseHere } from '../../support/postgres.ts';
import { startReceiver } from '../../support/receivers.ts';
import { disagreements, type ServerProcess, serveProcess } from '../../support/run/server.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const seconds = isSlowRun ? 60 : 2;
const kills = isSlowRun ? 60 : 1;
const writers = 6;
/** Publishing connections that are ended at least. A slow machine takes longer for them. */
const minEnded = 3 * kills;

const own = databaseHere();
const instances: ServerProcess[] = [];

afterEach(async () => {
  await Promise.all(instances.map(({ command }) => command.stop('SIGKILL')));
});

const start = () => serveProcess(own.url, { BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });

const eventRow = z.object({ id: z.int(), type: z.string(), subject_id: z.string().nullable() });

/** Reads the events after the last one that was read. */
function follower() {
  const seen: z.infer<typeof eventRow>[] = [];
  return {
    seen,
    async read() {
      seen.push(
        ...(await own.pool.any(
          sql.type(eventRow)`
            select id, type, subject_id from events where id > ${seen.at(-1)?.id ?? 0} order by id
          `,
        )),
      );
    },
  };
}

test('no event is missed, doubled or out of order while instances and their publishers are killed', {
  timeout: (seconds + 110) * 1_000,
}, async () => {
  const receiver = await startReceiver();
  await addAccount(own.url);
  const databases = connectDatabases({ databaseUrl: own.url });
  const { secret: token } = await createApiToken(databases.primary, {
    ...{ name: 'tests', role: 'superadmin', createdBy: 'tests', expiresAt: null },
  });
  await databases.close();
  instances.push(...(await Promise.all([start(), start()])));
  const clientOf = (index: number) => createClient({ baseUrl: instances[index % 2]?.url ?? '', token });
  await clientOf(0).call('webhooks.create', { url: receiver.url, events: ['issue.updated'] });

  const end = Date.now() + seconds * 1_000;
  let ended = 0;
  const isOver = () => Date.now() >= end && ended >= minEnded;
  const answered: number[] = [];
  const write = async (writer: number) => {
    for (let round = 0; !isOver(); round++) {
      try {
        const { id } = await clientOf(writer + round).call('issues.create', { title: `${writer} ${round}` });
        answered.push(id);
        if (round % 20 === 0) await clientOf(writer).call('issues.changeStatus', { id, status: 'Closed' });
      } catch (error) {
        // A broken connection is expected; an error response is not.
        if (error instanceof ResponseError) throw error;
        await sleep(20);
      }
    }
  };
  const { seen, read } = follower();
  const follow = async () => {
    while (!isOver()) await read();
  };
  const endPublishers = async () => {
    for (; !isOver(); await sleep(200)) {
      const { rowCount } = await own.client.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%from publish_changes(%' and pid <> pg_backend_pid()
      `);
      ended += rowCount ?? 0;
    }
  };
  const killInstances = async () => {
    for (let kill = 0; kill < kills && !isOver(); kill++) {
      await sleep((seconds * 1_000) / (kills + 1));
      await instances[kill % 2]?.command.stop('SIGKILL');
      instances[kill % 2] = await start();
    }
  };
  await Promise.all([
    ...Array.from({ length: writers }, (_, writer) => write(writer)),
    ...[follow(), endPublishers(), killInstances()],
  ]);

  // The instances publish what is left by themselves.
  const left = () => own.pool.oneFirst(sql.unsafe`select count(*)::int from recorded_changes`);
  await expect.poll(left).toBe(0);
  await read();
  expect(seen).toEqual(await own.pool.any(sql.unsafe`select id, type, subject_id from events order by id`));
  const created = seen
    .filter(({ type }) => type === 'issue.created')
    .map(({ subject_id }) => Number(subject_id));
  expect(new Set(created).size).toBe(created.length);
  expect(answered.filter((id) => !created.includes(id))).toEqual([]);
  // Each issue that exists was created by one event, and each event has its audit record.
  expect(await disagreements(own.url)).toEqual([]);

  const messages = seen.filter(({ type }) => type === 'issue.updated').map(({ id }) => `evt_${id}`);
  const arrived = () => [...new Set(receiver.arrivals.map(({ id }) => id))].toSorted();
  await expect.poll(arrived, { timeout: 60_000 }).toEqual(messages.toSorted());
  console.log(
    `${seen.length} events, ${ended} publishing connections ended, ${kills} instances killed, ${messages.length} messages sent`,
  );
  await receiver.close();
});
