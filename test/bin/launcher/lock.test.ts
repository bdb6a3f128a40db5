import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withLock } from '../../../bin/launcher/lock.js';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const emptyLockFile = async () => join(await temporaryFolder(), 'lock');

test('holds the lock while the work runs, and leaves no file behind', async () => {
  const lockFile = await emptyLockFile();
  const owner = await withLock(async () => readFileSync(lockFile, 'utf8'), { lockFile });
  expect(owner).toBe(String(process.pid));
  expect(readdirSync(dirname(lockFile))).toEqual([]);
});

test('releases the lock when the work fails', async () => {
  const lockFile = await emptyLockFile();
  const failing = withLock(() => Promise.reject(new Error('no disk space')), { lockFile });
  await expect(failing).rejects.toThrow('no disk space');
  expect(existsSync(lockFile)).toBe(false);
});

test('takes over the lock of a process that has ended', async () => {
  const lockFile = await emptyLockFile();
  const ended = spawnSync(process.execPath, ['--version']);
  writeFileSync(lockFile, String(ended.pid));
  expect(await withLock(async () => 'done', { lockFile })).toBe('done');
  expect(readdirSync(dirname(lockFile))).toEqual([]);
});

test('fails and names the owner if a running process keeps the lock', async () => {
  const lockFile = await emptyLockFile();
  writeFileSync(lockFile, String(process.ppid));
  const waiting = withLock(async () => 'done', { lockFile, timeoutMs: 0 });
  await expect(waiting).rejects.toThrow(
    `Process ${process.ppid} holds ${lockFile}. Stop it or remove the file.`,
  );
  expect(readFileSync(lockFile, 'utf8')).toBe(String(process.ppid));
});

test('runs one call at a time, and reports that others wait', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const lockFile = await emptyLockFile();
  let running = 0;
  let maxRunning = 0;
  const work = async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(work, { lockFile })));
  expect(maxRunning).toBe(1);
  expect(log).toHaveBeenCalledWith('Waiting for another command that installs or builds.');
});
