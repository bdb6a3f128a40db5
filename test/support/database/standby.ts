import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Cluster, readSuperuserPassword } from '../../../src/db/embedded/cluster.ts';
import { runProgram } from '../../../src/db/embedded/programs.ts';
import { withClient } from './client.ts';
import { type ControlledPostgres, controlledCluster, controlServer } from './controlled-postgres.ts';

/** A server with a migrated database, and a standby that receives its changes by streaming replication. */
export interface ReplicatedPostgres {
  readonly primary: ControlledPostgres;
  readonly standby: ControlledPostgres;
  remove(): Promise<void>;
}

/** Starts a primary and its standby. */
export async function replicatedPostgres(): Promise<ReplicatedPostgres> {
  const { cluster, postgres: primary } = await controlledCluster();
  // The servers of tests answer a commit before it is on disk, and send it to a standby only then: up to 0.6 s later.
  await withClient(primary.url, (client) =>
    client.query('alter role backoffice set synchronous_commit = on'),
  );
  const standby = await createStandby(cluster, primary);
  await standby.start();
  return {
    primary,
    standby,
    async remove() {
      await standby.remove();
      await primary.remove();
    },
  };
}

/** Copies the files of a running primary. The embedded Postgres has no `pg_basebackup`. */
async function createStandby(cluster: Cluster, primary: ControlledPostgres): Promise<ControlledPostgres> {
  const home = join(dirname(cluster.home), 'standby');
  const data = join(home, 'data');
  const own = async (path: string) => {
    if (cluster.user) await chown(path, cluster.user.uid, cluster.user.gid);
  };
  await mkdir(home, { mode: 0o700 });
  await own(home);
  const label = await withClient(primary.url, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    await runProgram('cp', ['-a', join(cluster.home, 'data'), data], cluster.user);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    return rows[0].labelfile as string;
  });
  for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(data, file), { force: true });
  const password = await readSuperuserPassword(cluster);
  const { port } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=backoffice password=${password}`;
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  for (const [file, text] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    await writeFile(join(data, file), text, { mode: 0o600 });
    await own(join(data, file));
  }
  return await controlServer({ ...cluster, home }, password, () =>
    rm(home, { recursive: true, force: true }),
  );
}
