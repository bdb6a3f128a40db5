import { availableParallelism } from 'node:os';
import { withConnection } from './postgres.ts';

/** Returns what the figures depend on, in one line without host names. */
export async function describeMachine(databaseUrl: string): Promise<string> {
  const version = await withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version;
  });
  return `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}, Postgres ${version}`;
}
