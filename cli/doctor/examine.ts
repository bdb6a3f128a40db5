import { existsSync } from 'node:fs';
import { lstat, mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type Config, configProblems, readConfig, unknownVariables } from '../../src/config.ts';
import { BackofficeError } from '../../src/contract/errors.ts';
import { createSecretBox } from '../../src/services/secrets/secret-box.ts';
import { errorCode } from '../../src/shared/errors.ts';
import { isRecord } from '../../src/shared/is-record.ts';
import { type Access, namedTarget, timeLimitOf } from '../access/access.ts';
import { findTarget, serverAddress, type Target } from '../access/contexts.ts';
import { existingEncryptionKeys, refuseTimeLimit } from '../access/database.ts';
import { remoteAccess } from '../access/remote.ts';
import { isSignedOut, sentenceOf } from '../failures.ts';
import { grouped } from '../terminal/text.ts';
import { checkDatabases } from './database.ts';
import {
  type Checks,
  type Finding,
  failed,
  findingsOf,
  type Judgement,
  notChecked,
  ok,
  runChecks,
  untrustedProxy,
  warning,
} from './finding.ts';
import { checkMail, checkPublicUrl } from './mail.ts';
import { judgeClock } from './server-facts.ts';

const fixThis = 'Fix this, then run `backoffice doctor` again.';

/**
 * Checks everything that the service and its commands need: this machine and its database, or the server that the command
 * line names. A check that fails to run is a finding too.
 *
 * @throws UsageError if a time limit is given for checks that send no requests
 */
export async function examine(command: Command): Promise<Finding[]> {
  const findings = await runChecks({ node: checkNode, configuration: checkConfiguration }, fixThis);
  // An invalid variable would fall back to something else, such as another database.
  if (findings.some(({ check, state }) => check === 'configuration' && state === 'failed'))
    return [...findings, notChecked('fix the configuration first')];
  const config = readConfig();
  const found = await findTarget(namedTarget(command), config).catch((error: Error) => error);
  if (found instanceof Error) {
    const fix = 'Run `backoffice context list` to see all.';
    return [...findings, ...findingsOf('context', failed(found.message, fix))];
  }
  if (found === undefined) {
    refuseTimeLimit(command);
    return [...findings, ...(await runChecks(onMachine, fixThis, config))];
  }
  return [...findings, ...(await runChecks({ server: checkServer }, fixThis, found, timeLimitOf(command)))];
}

const onMachine: Checks<[config: Config]> = {
  // Whether a proxy which must be there is trusted.
  proxy(config) {
    const problem = untrustedProxy(config);
    if (problem === undefined) return undefined;
    return warning(problem, 'Set TRUST_PROXY to the number of proxies in front of the service.');
  },

  'session secret'({ sessionSecrets, dataDirectory, databaseUrl }) {
    if (sessionSecrets !== undefined)
      return ok(sessionSecrets.length === 1 ? 'set' : `set, with ${sessionSecrets.length - 1} older`);
    const file = join(dataDirectory, 'session-secret');
    if (existsSync(file)) return ok(`not set; \`backoffice up\` uses the one in ${file}`);
    // With an external Postgres the service is probably run by `serve`, on several machines.
    if (databaseUrl === undefined) return ok('not set; `backoffice up` creates one when it starts');
    return warning(
      'not set: `backoffice serve` does not start without it, and `backoffice up` uses one that other machines do not have',
      'Set SESSION_SECRET to the same value for every instance. `openssl rand -base64 33` generates one.',
    );
  },

  async 'encryption key'(config) {
    const [newest, ...older] = createSecretBox(await existingEncryptionKeys(config)).keyIds;
    if (newest !== undefined)
      return ok(older.length === 0 ? newest : `${newest}, with ${older.length} older: ${older.join(', ')}`);
    if (config.databaseUrl === undefined) return ok('not set; one is created with the embedded database');
    return warning(
      'not set: the service stores no secrets, such as those of webhooks',
      'Set BACKOFFICE_ENCRYPTION_KEY to the same value for every instance. `openssl rand -base64 32` generates one.',
    );
  },

  // Whether the embedded Postgres can keep its data, and has space. An external Postgres keeps nothing here.
  async 'data directory'({ databaseUrl, dataDirectory }) {
    if (databaseUrl !== undefined) return undefined;
    const folder = await nearestFolder(dataDirectory);
    const problem = await problemOfWriting(folder);
    if (problem !== undefined) {
      const fix = 'Give this user write access, or set BACKOFFICE_DATA to another directory.';
      return failed(`cannot write to ${folder} (${problem})`, fix);
    }
    const { bavail, bsize } = await statfs(folder);
    return [
      ok(folder === dataDirectory ? dataDirectory : `${dataDirectory}, created when needed`),
      { check: 'disk', ...judgeSpace(bavail * bsize, folder) },
    ];
  },

  database: checkDatabases,
  mail: (config) => checkMail(config),
  'public URL': checkPublicUrl,
};

const minNodeVersion = 24;

/** Checks the version of Node. */
export function checkNode(version = process.versions.node): Judgement {
  return Number.parseInt(version, 10) >= minNodeVersion
    ? ok(version)
    : failed(`${version} is too old`, `Install Node ${minNodeVersion} or newer.`);
}

/** Checks that every environment variable has a valid value. */
function checkConfiguration(): Judgement[] {
  const problems = [
    ...configProblems().map((problem) =>
      failed(problem, `Correct it, or run \`unset ${problem.split(' ', 1)[0]}\`.`),
    ),
    ...unknownVariables().map((name) =>
      warning(`Unknown variable: ${name}.`, 'Check its name in docs/cli.md.'),
    ),
  ];
  return problems.length > 0 ? problems : [ok('all variables are valid')];
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

/** Returns the folder itself, or its nearest parent that exists. */
async function nearestFolder(path: string): Promise<string> {
  // A link to nowhere is there, and keeps the folder from being made.
  const isThere = await lstat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
  return isThere || path === dirname(path) ? path : await nearestFolder(dirname(path));
}

const megabyte = 1_000_000;
/** Postgres stops on a full disk, and may need help to start again. */
const minSpaceBytes = 100 * megabyte;
const recommendedSpaceBytes = 1_000 * megabyte;

/** Judges the free space of a disk. */
export function judgeSpace(bytes: number, folder: string): Judgement {
  const detail = `${grouped(Math.round(bytes / megabyte))} MB free in ${folder}`;
  const fix = 'Free space on that disk, or move the data directory and set BACKOFFICE_DATA.';
  if (bytes < minSpaceBytes) return failed(detail, fix);
  return bytes < recommendedSpaceBytes ? warning(detail, fix) : ok(detail);
}

const readinessTimeoutMs = 5_000;

/** Checks that the server that commands are sent to is ready and accepts the token. */
async function checkServer({ server, token }: Target, timeoutMs: number | undefined) {
  const address = serverAddress(server);
  const askedAt = Date.now();
  const limitMs = timeoutMs ?? readinessTimeoutMs;
  const signal = AbortSignal.timeout(limitMs);
  const ready = await fetch(`${address}/readyz`, { signal }).catch(() => undefined);
  if (ready === undefined) {
    const within = signal.aborted ? ` within ${limitMs / 1_000} s` : '';
    return failed(
      `${address} does not answer${within}`,
      'Check the address, and that the server is running.',
    );
  }
  const readiness: unknown = await ready.json().catch(() => undefined);
  if (!isRecord(readiness) || !('status' in readiness)) {
    const detail = `${address} is not a Backoffice server: it answers ${ready.status} without its readiness`;
    return failed(detail, 'Check the address.');
  }
  return [
    ready.ok
      ? ok(`${address} is ready`)
      : failed(`${address} answers ${ready.status}`, 'Run `backoffice doctor` on its machine.'),
    ...checkClock(ready, askedAt),
    { check: 'token', ...(await checkToken(remoteAccess(address, token, { timeoutMs }))) },
  ];
}

/** Compares the clocks. The server tells its time in whole seconds, some time between the question and the answer. */
function checkClock({ headers }: Response, askedAt: number): Finding[] {
  const toldAt = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(toldAt)) return [];
  const nearest = Math.min(Math.max(toldAt, askedAt - 1_000), Date.now());
  return [{ check: 'clock', ...judgeClock('server', toldAt - nearest) }];
}

async function checkToken(server: Access): Promise<Judgement> {
  try {
    await server.call('issues.list', { limit: 1 });
    return ok('the server accepts it');
  } catch (error) {
    return failed(sentenceOf(error), fixOf(error));
  }
}

/** Says what to do if the token could not be used. A new one helps only if the server refuses this one. */
function fixOf(error: unknown): string {
  if (isSignedOut(error)) return 'Run `backoffice tokens create` on its machine, and set BACKOFFICE_TOKEN.';
  if (!(error instanceof BackofficeError)) return fixThis;
  if (error.code === 'forbidden') return 'Use a token that may do what your commands do.';
  if (error.code === 'rate_limited') return 'Wait a moment, then run `backoffice doctor` again.';
  return 'Run `backoffice doctor` on its machine.';
}
