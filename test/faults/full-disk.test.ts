import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/db/embedded/server.ts';
import { apiAs } from '../support/here/requests.ts';
import { openSession } from '../support/here.ts';
import { executable, withoutEnvironment } from '../support/run/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const email = 'grace@example.com';
const password = 'correct horse';
/** What is left when the disk is nearly full: enough for some changes. */
const leftBytes = 4_000_000;
const noSpace = 'The database has no disk space left.';
const unavailable = 'The database is unavailable.';

/**
 * Returns the parameters of `unshare` that mount a disk in memory over a folder and run a command. Only the command and its
 * children see the disk, which goes with them. It is enough for a new database, and soon full.
 */
function onSmallDisk(folder: string, ...command: readonly string[]): string[] {
  const script = 'mount -t tmpfs -o size=160m,mode=755 tmpfs "$0" && exec "$@"';
  return ['-m', 'sh', '-c', script, folder, ...command];
}

const mayMount = spawnSync('unshare', onSmallDisk('/mnt', 'true')).status === 0;

// Postgres does not run as the superuser of a user namespace.
test.skipIf(process.getuid?.() !== 0 || !mayMount).for([
  { sentence: noSpace, isFull: 'a table finds no space', goesOn: true, encoding: 'hex' },
  // The search index of such texts has many trigrams, so the log grows far more than the tables.
  { sentence: unavailable, isFull: 'the log finds no space', goesOn: false, encoding: 'base64' },
] as const)(
  'when $isFull, changes fail with one sentence, nothing that was answered is lost, and space is all it takes to go on',
  async ({ sentence, goesOn, encoding }) => {
    const folder = await temporaryFolder();
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawn('unshare', onSmallDisk(folder, process.execPath, executable, 'up'), {
      env: {
        ...withoutEnvironment(),
        BACKOFFICE_DATA: folder,
        BACKOFFICE_ADMIN_EMAIL: email,
        BACKOFFICE_ADMIN_PASSWORD: password,
        BACKOFFICE_DRAIN_SECONDS: '0',
        LOG_LEVEL: 'error',
        PORT: String(port),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    const ended = once(child, 'close');
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
    await expect.poll(isReady, { timeout: 60_000, interval: 200 }).toBe(true);
    // The folder as the process sees it.
    const seen = `/proc/${child.pid}/root${folder}`;
    const filler = join(seen, 'filler');
    const logSegments = () => readdirSync(join(seen, 'postgres/data/pg_wal')).length;

    const api = apiAs(url, { cookie: await openSession(url, email, password) });
    let written = 0;
    async function write(): Promise<string> {
      const title = `Issue ${written}`;
      const description = crypto.getRandomValues(Buffer.alloc(45_000)).toString(encoding);
      const { status, body } = await api.post('/issues', { title, description });
      if (status === 200) written += 1;
      const { error = '' } = body as { error?: string };
      expect([status, error]).toEqual(
        status === 200 ? [200, ''] : [500, expect.stringMatching(`^(${noSpace}|${unavailable})$`)],
      );
      return error;
    }
    const titles = async () => {
      const { issues } = (await api.get('/issues?limit=1000')).body as { issues: { title: string }[] };
      return issues.map(({ title }) => title);
    };

    // Ends once Postgres has begun a segment of its log, which has room for more than the tables have.
    for (const begun = logSegments(); logSegments() === begun; ) expect(await write()).toBe('');
    const { bavail, bsize } = statfsSync(seen);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - leftBytes, 1));
    let first = '';
    while (first === '') first = await write();
    expect(first).toBe(sentence);
    for (let round = 0; round < 20; round++) {
      await write();
      await pause(250);
    }
    const answered = written;

    rmSync(filler);
    await expect.poll(isReady, { timeout: 60_000, interval: 200 }).toBe(true);
    expect(await write()).toBe('');
    expect((await titles()).toSorted()).toEqual(
      Array.from({ length: answered + 1 }, (_, index) => `Issue ${index}`).toSorted(),
    );
    expect(child.exitCode).toBe(null);
    expect(printed.includes('its disk is full')).toBe(!goesOn);
  },
);
