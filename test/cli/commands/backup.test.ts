import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { withClient } from '../../support/postgres/server.ts';
import { databaseHere } from '../../support/postgres.ts';
import { executable, withoutEnvironment } from '../../support/run/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const own = databaseHere();

beforeAll(() =>
  // More than pipes and sockets hold.
  withClient(own.url, (client) =>
    client.query(`
      insert into settings (setting_key, setting_value)
      select 'large-' || n, (select string_agg(encode(sha256((n || ':' || k)::bytea), 'hex'), '') from generate_series(1, 50) k)
      from generate_series(1, 5000) n`),
  ),
);

/** Starts a backup whose output is a pipe or an open file. */
function backUp(output: 'pipe' | number): ChildProcess {
  return spawn(process.execPath, [executable, 'backup', '-'], {
    env: { ...withoutEnvironment(), DATABASE_URL: own.url },
    stdio: ['ignore', output, 'pipe'],
  });
}

async function endOf(command: ChildProcess) {
  const stderr = command.stderr === null ? '' : text(command.stderr);
  const [code] = await once(command, 'close');
  return { code, stderr: await stderr };
}

/** The connections that still copy rows. */
const copying = () =>
  withClient(own.url, async (client) => {
    const { rows } = await client.query(
      `select state, query from pg_stat_activity where datname = current_database() and query like 'copy %'`,
    );
    return rows;
  });

const whole = { code: 0, stderr: expect.stringMatching(/^Wrote [\d,]+ rows of \d+ tables/) };
const lastLine = /\n\{"sha256":"[0-9a-f]{64}"\}\n$/;

test('a backup that is piped on ends, and is whole', async () => {
  const file = join(await temporaryFolder(), 'backup.gz');
  const command = backUp('pipe');
  const ended = endOf(command);
  if (command.stdout !== null) await pipeline(command.stdout, createWriteStream(file));
  expect(await ended).toEqual(whole);
  expect(gunzipSync(await readFile(file)).toString()).toMatch(lastLine);
});

test('a backup on a redirected standard output ends, and is whole', async () => {
  const file = join(await temporaryFolder(), 'backup.gz');
  expect(await endOf(backUp(openSync(file, 'wx')))).toEqual(whole);
  expect(gunzipSync(await readFile(file)).toString()).toMatch(lastLine);
});

test('a backup whose reader ends fails with one sentence', async () => {
  const command = backUp('pipe');
  const ended = endOf(command);
  command.stdout?.once('data', () => command.stdout?.destroy());
  expect(await ended).toEqual({
    code: 1,
    stderr: 'backoffice: The program that reads the backup has ended. No backup was written.\n',
  });
  await expect.poll(copying).toEqual([]);
});

test('a backup that a full disk does not take fails with one sentence', async () => {
  expect(await endOf(backUp(openSync('/dev/full', 'w')))).toEqual({
    code: 1,
    stderr: 'backoffice: Cannot write the output (ENOSPC). It is incomplete.\n',
  });
  await expect.poll(copying).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a backup whose reader does not read', async (signal, code) => {
  const command = backUp('pipe');
  const ended = endOf(command);
  // The first bytes have arrived. Nobody takes more.
  if (command.stdout !== null) await once(command.stdout, 'readable');
  command.kill(signal);
  // The process ends although what it has written is not read.
  await once(command, 'exit');
  command.stdout?.resume();
  expect(await ended).toEqual({ code, stderr: 'backoffice: Stopped. No backup was written.\n' });
  await expect.poll(copying).toEqual([]);
});
