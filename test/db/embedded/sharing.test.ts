import { cp, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { grantDataDirectoryAccess } from '../../../src/db/embedded/cluster.ts';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { findBinaries, findOsUser, runnableBinaries, runProgram } from '../../../src/db/embedded/programs.ts';
import {
  countMembers,
  queryAnswer,
  runningPid,
  startMember,
  startMemberProcess,
  temporaryDataDirectory,
  waitUntil,
} from '../../support/postgres/embedded.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a shared server', () => {
  test('eight processes that start at once in an empty folder share one server, and the last one stops it', async () => {
    const dataDirectory = await temporaryDataDirectory();
    const members = await Promise.all(Array.from({ length: 8 }, () => startMember(dataDirectory)));

    expect(new Set(members.map((member) => member.url)).size).toBe(1);
    expect(await queryAnswer(members[0]?.url ?? '', 'SELECT 1 AS answer')).toBe(1);
    // The binaries are copied too if Postgres' user cannot enter the checkout. No temporary copy is left.
    const left = await readdir(dataDirectory);
    expect(left.filter((name) => name !== 'binaries')).toEqual(['postgres']);

    const codes = await Promise.all(members.map((member) => member.leave()));
    expect(codes).toEqual(members.map(() => 0));
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  test('a killed member leaves the server running, and the next command joins it and stops it', async () => {
    const dataDirectory = await temporaryDataDirectory();
    const killed = await startMember(dataDirectory);
    const pid = await runningPid(dataDirectory);
    await killed.kill();

    const next = await joinEmbeddedPostgres({ dataDirectory, durable: false });
    expect(next.url).toBe(killed.url);
    expect(await runningPid(dataDirectory)).toBe(pid);
    // Until Postgres notices that the killed member is gone, no other member is the last one.
    await waitUntil(async () => (await countMembers(next.url)) === 1);
    await next.close();
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  test('a command that joins while the last member leaves waits and starts the server again', async () => {
    const dataDirectory = await temporaryDataDirectory();
    const comeAndGo = async () => {
      for (let round = 0; round < 6; round++) {
        const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false });
        expect(await queryAnswer(postgres.url, 'SELECT 1 AS answer')).toBe(1);
        await postgres.close();
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
    expect(await runningPid(dataDirectory)).toBeUndefined();
  });

  test('a kill during the first start does not disturb the second', async () => {
    const dataDirectory = await temporaryDataDirectory();
    const killed = startMemberProcess(dataDirectory);
    await waitUntil(async () =>
      (await readdir(dataDirectory)).some((entry) => entry.startsWith('postgres.new-')),
    );
    killed.kill('SIGKILL');

    const postgres = await joinEmbeddedPostgres({ dataDirectory, durable: false });
    expect(await queryAnswer(postgres.url, 'SELECT 1 AS answer')).toBe(1);
    await postgres.close();
  });

  test("the terminal's Ctrl-C does not reach the server", async () => {
    const dataDirectory = await temporaryDataDirectory();
    const member = await startMember(dataDirectory);
    const pid = await runningPid(dataDirectory);
    process.kill(-member.pid, 'SIGINT');

    expect(await queryAnswer(member.url, 'SELECT 1 AS answer')).toBe(1);
    expect(await runningPid(dataDirectory)).toBe(pid);
    expect(await readdir(join(dataDirectory, 'postgres'))).toContain('server.log');
    expect(await member.leave()).toBe(0);
  });
});

describe('an embedded server', () => {
  // Postgres refuses to run as root, so root runs it as another user, which cannot enter every folder.
  describe.runIf(process.getuid?.() === 0)('as root', () => {
    test('binaries in a closed folder are copied once to the data directory and run from there', async () => {
      const dataDirectory = await temporaryDataDirectory();
      const user = await findOsUser(join(dataDirectory, 'postgres'));
      if (user) await grantDataDirectoryAccess(dataDirectory, user);
      const installed = await findBinaries();
      const closed = { ...installed, directory: join(await temporaryFolder(), 'native') };
      await cp(installed.directory, closed.directory, { recursive: true, verbatimSymlinks: true });

      const copies = await Promise.all([
        runnableBinaries(closed, dataDirectory, user),
        runnableBinaries(closed, dataDirectory, user),
      ]);
      const directory = join(dataDirectory, 'binaries', installed.version);
      expect(copies.map((copy) => copy.directory)).toEqual([directory, directory]);
      expect((await runProgram(join(directory, 'bin', 'initdb'), ['--version'], user)).output).toContain(
        '18',
      );
      const { ino } = await lstat(directory);
      expect(await runnableBinaries(closed, dataDirectory, user)).toEqual(copies[0]);
      expect((await lstat(directory)).ino).toBe(ino);
    });

    test('a data directory in a closed folder is an error that names that folder', async () => {
      const closed = await temporaryFolder();
      const joining = joinEmbeddedPostgres({ dataDirectory: join(closed, 'deep', 'data'), durable: false });
      await expect(joining).rejects.toThrow(`cannot enter ${closed}. Set BACKOFFICE_DATA`);
    });

    test("root runs another user's cluster as that user", async () => {
      const dataDirectory = await temporaryDataDirectory();
      const home = join(dataDirectory, 'postgres');
      await mkdir(home);
      expect((await findOsUser(home))?.name).toMatch(/postgres|nobody/);
      await runProgram('chown', ['12345:12346', home]);
      expect(await findOsUser(home)).toMatchObject({ uid: 12345, gid: 12346 });
    });
  });
});
