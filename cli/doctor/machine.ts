import { lstat, mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { errorCode } from '../../src/shared/errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const minNodeVersion = 24;
const megabyte = 1_000_000;
/** Postgres stops on a full disk, and may need help to start again. */
const minSpaceBytes = 100 * megabyte;
const recommendedSpaceBytes = 1_000 * megabyte;

/** Checks the version of Node. */
export function checkNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) >= minNodeVersion
    ? ok('node', version)
    : failed('node', `${version} is too old`, `Install Node ${minNodeVersion} or newer.`);
}

/** Checks that the embedded Postgres can keep its data. An external Postgres keeps nothing here. */
export async function checkDataDirectory({ databaseUrl, dataDirectory }: Config): Promise<Finding[]> {
  if (databaseUrl !== undefined) return [];
  const folder = await nearestFolder(dataDirectory);
  const isThere = folder === dataDirectory;
  const problem = await problemOfWriting(folder);
  if (problem !== undefined) {
    return [
      failed(
        'data directory',
        `cannot write to ${folder} (${problem})`,
        'Give this user write access, or set BACKOFFICE_DATA to another directory.',
      ),
    ];
  }
  return [
    ok('data directory', isThere ? dataDirectory : `${dataDirectory}, created when needed`),
    await checkSpace(folder),
  ];
}

/** Tries it, because root may write where the file system takes nothing. Returns the code of the error, if there is one. */
async function problemOfWriting(folder: string): Promise<string | undefined> {
  try {
    await rmdir(await mkdtemp(join(folder, '.backoffice-doctor-')));
    return undefined;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

async function checkSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  return judgeSpace(bavail * bsize, folder);
}

/** Judges the free space of a disk. */
export function judgeSpace(bytes: number, folder: string): Finding {
  const detail = `${(bytes / megabyte).toLocaleString('en', { maximumFractionDigits: 0 })} MB free in ${folder}`;
  const advice = 'Free space on that disk, or move the data directory and set BACKOFFICE_DATA.';
  if (bytes < minSpaceBytes) return failed('disk', detail, advice);
  return bytes < recommendedSpaceBytes ? warning('disk', detail, advice) : ok('disk', detail);
}

/** Returns the folder itself, or its nearest parent that exists. */
async function nearestFolder(path: string): Promise<string> {
  // A link to nowhere is there, and keeps the folder from being made.
  const isThere = await lstat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
  return isThere || path === dirname(path) ? path : await nearestFolder(dirname(path));
}
