import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../src/config.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const neededNode = 24;
const megabyte = 1_000_000;
/** Postgres stops, and may need a hand to start again, on a disk that is full. */
const leastSpace = 100 * megabyte;
const comfortableSpace = 1_000 * megabyte;

/** Is this Node new enough? */
export function checkNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) >= neededNode
    ? ok('node', version)
    : failed('node', `${version} is too old`, `Install Node ${neededNode} or newer.`);
}

/** Can the embedded Postgres keep its data? With a Postgres of one's own nothing is kept here. */
export async function checkDataDirectory({ databaseUrl, dataDirectory }: Config): Promise<Finding[]> {
  if (databaseUrl !== undefined) return [];
  const folder = await nearestFolder(dataDirectory);
  const isThere = folder === dataDirectory;
  const problem = await access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  if (problem !== undefined) {
    return [
      failed(
        'data directory',
        `${folder} cannot be written to (${problem})`,
        'Give this user the right to, or set BACKOFFICE_DATA to a folder of its own.',
      ),
    ];
  }
  return [
    ok('data directory', isThere ? dataDirectory : `${dataDirectory}, which is made when it is needed`),
    await checkSpace(folder),
  ];
}

async function checkSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  return judgeSpace(bavail * bsize, folder);
}

/** Is there room for data to grow? */
export function judgeSpace(bytes: number, folder: string): Finding {
  const detail = `${(bytes / megabyte).toLocaleString('en', { maximumFractionDigits: 0 })} MB free in ${folder}`;
  const mend = 'Make room on that disk, or move the data directory and set BACKOFFICE_DATA.';
  if (bytes < leastSpace) return failed('disk', detail, mend);
  return bytes < comfortableSpace ? warning('disk', detail, mend) : ok('disk', detail);
}

/** The folder itself, or the first one above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
  return isThere || path === dirname(path) ? path : await nearestFolder(dirname(path));
}
