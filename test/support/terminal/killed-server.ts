import { expect } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import { ResponseError } from '../../../src/contract/client/client.ts';
import { withClient } from '../http/admin-client.ts';
import { type RunningCommand, startBackoffice } from './command.ts';

/** A server that is a process of its own, so that a test can kill it. */
export interface ServerProcess {
  readonly url: string;
  readonly databaseUrl: string;
  readonly command: RunningCommand;
}

/** What Postgres knows the connections of such a server by. */
const connectionName = 'killed';

/** Starts `backoffice serve` on a database. */
export async function serveProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const command = startBackoffice(['serve'], {
    env: {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: 'the secret of a server that is killed',
      LOG_LEVEL: 'warn',
      PGAPPNAME: connectionName,
      ...env,
    },
  });
  return { command, databaseUrl, url: (await command.shows(/listens on (\S+)/))[1] ?? '' };
}

/** What the changes came to, before and while the server was killed. */
export interface Killed {
  /** The issues whose creation was answered. */
  readonly created: readonly number[];
  /** Those whose change to `Closed` was answered. */
  readonly closed: readonly number[];
}

/**
 * Creates issues and closes each, several at a time, and kills the server with SIGKILL as soon as some have been
 * answered: those that are under way then are broken off wherever they are.
 *
 * @param client - of that server
 * @param changes - how many there would be
 * @param killAfter - how many are answered before
 */
export async function killAmidChanges(
  server: ServerProcess,
  client: Client,
  { changes = 1_000, killAfter = 500, atOnce = 20 } = {},
): Promise<Killed> {
  const created: number[] = [];
  const closed: number[] = [];
  let left = changes / 2;
  const answered = () => {
    if (created.length + closed.length !== killAfter) return;
    // A little later, so that the others are anywhere in what they do, and not where an answer has just been sent.
    setTimeout(() => server.command.process.kill('SIGKILL'), Math.random() * 50);
  };
  const work = async () => {
    while (left-- > 0) {
      const { id } = await client.call('issues.create', { title: `Change ${left}` });
      created.push(id);
      answered();
      await client.call('issues.changeStatus', { id, status: 'Closed' });
      closed.push(id);
      answered();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const outcome of outcomes) {
    // A connection that breaks is what is wanted; an answer that refuses is not.
    if (outcome.status === 'rejected' && outcome.reason instanceof ResponseError) throw outcome.reason;
  }
  await server.command.finished;
  // A commit that it had sent to the database takes place without it, too.
  await expect.poll(() => connectionsOf(server)).toBe(0);
  return { created, closed };
}

async function connectionsOf({ databaseUrl }: ServerProcess): Promise<number | null> {
  const { rowCount } = await withClient(databaseUrl, (client) =>
    client.query(
      'select from pg_stat_activity where datname = current_database() and application_name = $1',
      [connectionName],
    ),
  );
  return rowCount;
}

/** Whatever the issues, their events and their audit records do not agree on, row by row; nothing where they agree. */
export async function disagreements(databaseUrl: string): Promise<object[]> {
  const { rows } = await withClient(databaseUrl, (client) => client.query(compare));
  return rows;
}

const compare = `
  with event as (
    select id, type, subject_id::bigint as issue_id, data from events where type like 'issue.%'
  ), record as (
    select id, event, subject_id::bigint as issue_id, before, after from audit_records where event like 'issue.%'
  ), recorded as (
    -- An event and an audit record for each change, with one id and one content.
    select coalesce(event.id, record.id) as id, coalesce(event.issue_id, record.issue_id) as issue_id,
      coalesce(event.type, record.event) as type, coalesce(event.data, record.after) as data,
      (event.type, event.issue_id, event.data) is not distinct from (record.event, record.issue_id, record.after) as agrees
    from event full join record using (id)
  ), told as (
    -- What an issue is by the events alone: it began with one, and its status is that of the last.
    select issue_id, bool_and(agrees) as agrees,
      count(*) filter (where type = 'issue.created') as times_created,
      (array_agg(data ->> 'title' order by id))[1] as title,
      (array_agg(data ->> 'status' order by id desc))[1] as status
    from recorded
    group by issue_id
  )
  select coalesce(issues.id, told.issue_id) as issue, issues.status, told.*
  from issues full join told on told.issue_id = issues.id
  where (issues.title, issues.status, 1, true)
    is distinct from (told.title, told.status, told.times_created, told.agrees)
  order by 1
`;
