import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, watch, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fillFile, writeWhole } from '../../src/files/fill-file.ts';
import { locked } from '../../src/files/locked.ts';
import { makeFolders } from '../../src/files/make-folders.ts';
import { isSlowRun } from '../support/slow-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a file that is written whole', () => {
  test('replaces another one, or is refused, and is readable only by its owner', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'file');
    await writeFile(file, 'before', { mode: 0o666 });
    await writeWhole(file, 'after');
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['after', 0o600]);
    const again = writeWhole(file, 'new', { isNew: true });
    await expect(again).rejects.toMatchObject({ code: 'EEXIST' });
    await symlink('nowhere', join(folder, 'link'));
    const throughLink = writeWhole(join(folder, 'link'), 'new', { isNew: true });
    await expect(throughLink).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('after');
    expect(await readdir(folder)).toEqual(['file', 'link']);
  });

  test('stays as it was if its content ends early, and says why it cannot be written', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'file');
    await writeFile(file, 'before');
    const early = fillFile(file, async (output) => {
      const compressed = createGzip();
      compressed.pipe(output);
      for (let piece = 0; piece < 20; piece++) compressed.write(randomBytes(100_000));
      // It is still written when this ends.
      await once(compressed, 'data');
      throw new Error('stopped');
    });
    await expect(early).rejects.toThrow('stopped');
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['before', ['file']]);
    const said = `Cannot write ${folder}/none/file (ENOENT). Create its folder first.`;
    await expect(writeWhole(join(folder, 'none', 'file'), '')).rejects.toThrow(said);
  });
});

describe('a file that is changed under its lock', () => {
  const lockedBy = async (...owners: readonly string[]) => {
    const file = join(await temporaryFolder(), 'file');
    await mkdir(`${file}.lock`);
    for (const owner of owners) await writeFile(join(`${file}.lock`, owner), '');
    return file;
  };

  test('keeps every change, and leaves nothing beside it', async () => {
    const folder = join(await temporaryFolder(), 'made', 'on the way');
    const file = join(folder, 'file');
    const names = Array.from({ length: 8 }, (_, index) => `${index}`);
    const add = (name: string) =>
      locked(file, async () => {
        const before = await readFile(file, 'utf8').catch(() => '');
        await writeWhole(file, `${before}${name}\n`);
      });
    await Promise.all(names.map(add));
    expect((await readFile(file, 'utf8')).trim().split('\n').sort()).toEqual(names);
    const failing = locked(file, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual(['file']);
  });

  test.each<[who: string, owners: readonly string[]]>([
    ['a process that has ended', [`${spawnSync('true').pid}@${hostname()}.1`]],
    ['a process that was killed before it removed the folder', []],
    // Only time tells.
    ...(isSlowRun ? [['a process of another machine', ['1@elsewhere.1']] satisfies [string, string[]]] : []),
  ])('is taken over from %s', async (_who, owners) => {
    const file = await lockedBy(...owners);
    expect(await locked(file, async () => 'done')).toBe('done');
    expect(await readdir(join(file, '..'))).toEqual([]);
  });

  test('waits for a process that runs', async () => {
    const owner = `${process.ppid}@${hostname()}.1`;
    const file = await lockedBy(owner);
    const attempts = watch(join(file, '..'));
    let isDone = false;
    const waiting = locked(file, async () => {
      isDone = true;
    });
    let seen = 0;
    // Each attempt makes and removes a folder.
    for await (const _ of attempts) if (++seen > 4) break;
    expect(isDone).toBe(false);
    await rm(join(`${file}.lock`, owner));
    await waiting;
  });
});

test('a folder is made with those above it, and where that is impossible it fails', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b');
  await Promise.all([makeFolders(join(folder, 'c')), makeFolders(join(folder, 'd'))]);
  await makeFolders(folder);
  expect((await readdir(folder)).sort()).toEqual(['c', 'd']);
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolders(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolders(join(folder, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  if (process.platform === 'linux')
    await expect(makeFolders('/proc/x/y')).rejects.toMatchObject({ code: 'ENOENT' });
});
