import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian keeps the versions of Postgres. */
const postgresVersions = '/usr/lib/postgresql';
/** An ordinary user's path may lack the folders of services. */
const folders = [...new Set([...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin'])];

/** Finds the programs of the cluster test: `missing` names the Debian packages that lack. */
export function findClusterPrograms() {
  const found = {
    postgresql: findPostgres(),
    patroni: findProgram('patroni'),
    'etcd-server': findProgram('etcd'),
    haproxy: findProgram('haproxy'),
    pgbouncer: findProgram('pgbouncer'),
  };
  const { postgresql: postgres = '', patroni = '', haproxy = '', pgbouncer = '' } = found;
  return {
    programs: { postgres, patroni, etcd: found['etcd-server'] ?? '', haproxy, pgbouncer },
    missing: Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : [])),
  };
}

function findPostgres() {
  let versions: string[];
  try {
    versions = readdirSync(postgresVersions);
  } catch {
    return undefined;
  }
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(postgresVersions, version, 'bin'))
    .find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')));
}

function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
