import { join } from 'node:path';
import { type Machine, makeFolder, startDaemon, writeConfig } from './machine.ts';
import type { Member } from './member.ts';

/** The database and the role of the service. */
export const owner = {
  username: 'backoffice',
  password: 'the-password-of-backoffice',
  database: 'backoffice',
};

/** Starts the store that the members agree in on who is the primary. */
export async function startEtcd(machine: Machine, port: number, peerPort: number): Promise<void> {
  const data = await makeFolder(machine, 'etcd');
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  await startDaemon(machine, 'etcd', machine.programs.etcd, [
    ...['--name', 'etcd', '--data-dir', data],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `etcd=${peerUrl}`],
  ]);
}

/** Starts the proxy that leads one port to the primary and one to the replicas, whichever members those are. */
export async function startHaproxy(
  machine: Machine,
  members: readonly Member[],
  ports: Readonly<Record<'primary' | 'replicas', number>>,
): Promise<void> {
  const servers = members.map(
    ({ name, ports: member }) => `  server ${name} 127.0.0.1:${member.postgres} check port ${member.patroni}`,
  );
  const config = `
global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  # A connection that listens may be silent for long.
  timeout client 1h
  timeout server 1h
  option httpchk
  http-check expect status 200
  # Connections to a member that is the primary no more are closed: it may have frozen, and answer nothing.
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
listen primary
  bind 127.0.0.1:${ports.primary}
  http-check send meth OPTIONS uri /primary
${servers.join('\n')}
listen replicas
  bind 127.0.0.1:${ports.replicas}
  balance roundrobin
  http-check send meth OPTIONS uri /replica
${servers.join('\n')}
`;
  const folder = await makeFolder(machine, 'haproxy');
  const file = await writeConfig(machine, join(folder, 'haproxy.cfg'), config);
  await startDaemon(machine, 'haproxy', machine.programs.haproxy, ['-f', file, '-db']);
}

/** Starts the pooler, whose clients share connections to the primary from one transaction to the next. */
export async function startPgbouncer(machine: Machine, port: number, primaryPort: number): Promise<void> {
  const { username, password, database } = owner;
  const folder = await makeFolder(machine, 'pgbouncer');
  const users = await writeConfig(machine, join(folder, 'users.txt'), `"${username}" "${password}"\n`);
  const config = `
[databases]
${database} = host=127.0.0.1 port=${primaryPort} connect_query='set statement_timeout = 8000; set lock_timeout = 1800; set idle_in_transaction_session_timeout = 30000'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 300
default_pool_size = 50
# A failed connection is tried again after a second, not after 15, and a client waits 5 s for one, not 120.
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 5
`;
  const file = await writeConfig(machine, join(folder, 'pgbouncer.ini'), config);
  await startDaemon(machine, 'pgbouncer', machine.programs.pgbouncer, [file]);
}
