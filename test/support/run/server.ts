import { expect } from 'vitest';
import { type Client, ResponseError } from '../../../src/contract/client/client.ts';
import { withClient } from '../postgres/server.ts';
import { startBackoffice } from './process.ts';

/** A server in its own process, so that a test can kill it. */
export type ServerProcess = Awaited<ReturnType<typeof serveProcess>>;

/** The application name of the server's connections in Postgres. */
const connectionName = 'killed';

/** Starts `backoffice serve` on a database. */
export async function serveProcess(databaseUrl: string, env: Record<string, string> = {}) {
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

const changesAtOnce = 20;

/**
 * Creates and closes issues, several at a time, and kills the server with SIGKILL after some answers. Changes in progress
 * are interrupted at any point.
 *
 * @param client - a client of that server
 * @param changes - the total number of changes without a kill
 * @param killAfter - the number of answers before the kill
 * @returns the issues whose creation was answered before it, and those whose change to `Closed` was
 */
export async function killAmidChanges(
  server: ServerProcess,
  client: Client,
  { changes, killAfter }: { readonly changes: number; readonly killAfter: number },
) {
  const created: number[] = [];
  const closed: number[] = [];
  let left = changes / 2;
  const answered = () => {
    if (created.length + closed.length !== killAfter) return;
    // A little later, so that the other changes are at random points, not right after an answer.
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
  const outcomes = await Promise.allSettled(Array.from({ length: changesAtOnce }, work));
  for (const outcome of outcomes) {
    // A broken connection is expected; an error response is not.
    if (outcome.status === 'rejected' && outcome.reason instanceof ResponseError) throw outcome.reason;
  }
  await server.command.finished;
  // A commit that the server had sent still takes place without it.
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

/** Returns the rows where issues, their events and their audit records disagree; none if they agree. */
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
    -- Each change has an event and an audit record with the same id and content.
    select coalesce(event.id, record.id) as id, coalesce(event.issue_id, record.issue_id) as issue_id,
      coalesce(event.type, record.event) as type, coalesce(event.data, record.after) as data,
      (event.type, event.issue_id, event.data) is not distinct from (record.event, record.issue_id, record.after) as agrees
    from event full join record using (id)
  ), from_events as (
    -- The state of an issue by its events alone: created by the first, with the status of the last.
    select issue_id, bool_and(agrees) as agrees,
      count(*) filter (where type = 'issue.created') as times_created,
      (array_agg(data ->> 'title' order by id))[1] as title,
      (array_agg(data ->> 'status' order by id desc))[1] as status
    from recorded
    group by issue_id
  )
  select coalesce(issues.id, from_events.issue_id) as issue, issues.status, from_events.*
  from issues full join from_events on from_events.issue_id = issues.id
  where (issues.title, issues.status, 1, true)
    is distinct from (from_events.title, from_events.status, from_events.times_created, from_events.agrees)
  order by 1
`;
