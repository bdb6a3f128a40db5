import { cp, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { grantDataDirectoryAccess } from '../../../src/db/embedded/cluster.ts';
import { joinEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { findBinaries, findOsUser, runnableBinaries, runProgram } from '../../../src/db/embedded/programs.ts';
import { temporaryDataDirectory } from '../../support/postgres/embedded.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
    expect((await runProgram(join(directory, 'bin', 'initdb'), ['--version'], user)).output).toContain('18');
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
