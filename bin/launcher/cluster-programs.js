import { accessSync, constants, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian keeps the versions of Postgres. */
const postgresVersions = '/usr/lib/postgresql';
/** An ordinary user's path may lack the folders of services. */
const folders = [...new Set([...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin'])];

/**
 * @typedef {object} ClusterPrograms
 * @property {string} postgres the folder of the newest installed Postgres' programs
 * @property {string} patroni
 * @property {string} etcd
 * @property {string} haproxy
 * @property {string} pgbouncer
 */

/**
 * Finds the programs of the cluster test.
 *
 * @returns {{ programs: ClusterPrograms, missing: string[] }} `missing` names the Debian packages that lack
 */
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
  let versions;
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

/** @param {string} name */
function findProgram(name) {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
