import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { inspectServer, type ServerFacts } from '../../src/db/connection/inspect-server.ts';
import { type JoinedDatabase, joinDatabase } from '../access/database.ts';
import { checkData, dataChecks } from './data.ts';
import { type Finding, failed, notChecked, ok, warning } from './finding.ts';
import { judgeServer } from './server-facts.ts';
import { describeUnreachable } from './unreachable.ts';

/** What is checked inside the database. */
const inside = ['database settings', 'connections', 'clock', ...dataChecks];

/** Can the database be reached, is it set up as it should be, and is what it holds in order? */
export async function checkDatabases(config: Config): Promise<Finding[]> {
  return [...(await checkPrimary(config)), ...(await checkReplica(config))];
}

async function checkPrimary(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !(await hasEmbeddedDatabase(config))) {
    return [
      warning(
        'database',
        `there is none yet in ${config.dataDirectory}`,
        'Run backoffice up, which makes it.',
      ),
      ...left('there is no database yet'),
    ];
  }
  let database: JoinedDatabase;
  try {
    database = await joinDatabase(config);
  } catch (error) {
    const log = join(config.dataDirectory, 'postgres', 'server.log');
    return [
      failed('database', (error as Error).message, `See the end of ${log}.`),
      ...left('the embedded Postgres does not run'),
    ];
  }
  try {
    return await checkReachable(database.databaseUrl);
  } finally {
    await database.close();
  }
}

async function checkReachable(databaseUrl: string): Promise<Finding[]> {
  let facts: ServerFacts;
  try {
    facts = await inspectServer(databaseUrl);
  } catch (error) {
    return [
      describeUnreachable('database', 'DATABASE_URL', databaseUrl, error),
      ...left('the database cannot be reached'),
    ];
  }
  return [...judgeServer(facts), ...(await checkData(databaseUrl))];
}

async function checkReplica({ databaseReadUrl }: Config): Promise<Finding[]> {
  if (databaseReadUrl === undefined) return [];
  try {
    const { version, isReplica } = await inspectServer(databaseReadUrl);
    return [ok('read replica', `Postgres ${version}${isReplica ? '' : ', which follows no other'}`)];
  } catch (error) {
    return [describeUnreachable('read replica', 'DATABASE_READ_URL', databaseReadUrl, error)];
  }
}

function left(because: string): Finding[] {
  return inside.map((check) => notChecked(check, because));
}

async function hasEmbeddedDatabase({ dataDirectory }: Config): Promise<boolean> {
  return await access(join(dataDirectory, 'postgres', 'data', 'PG_VERSION')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
}
