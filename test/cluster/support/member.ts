import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Machine, makeFolder, startDaemon, statusOf, writeConfig } from './machine.ts';
import { killProcesses } from './marked-processes.ts';

export const superuser = { username: 'postgres', password: 'the password of postgres' };
const replicator = { username: 'replicator', password: 'the password of replicator' };

/**
 * The shared settings of the members. A write is acknowledged when two members have it on disk. A dead primary is
 * noticed after `ttl` seconds at most.
 */
const sharedSettings = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  synchronous_mode: true,
  // Without a second member, writes wait instead of being kept by one machine alone.
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: { max_connections: 200, shared_buffers: '64MB', max_wal_size: '512MB', wal_log_hints: 'on' },
  },
};

interface MemberPorts {
  readonly postgres: number;
  /** The port of Patroni, whose answers say whether the member is the primary. */
  readonly patroni: number;
}

/** A Postgres server under Patroni, which stands for a machine. */
export class Member {
  readonly name: string;
  readonly ports: MemberPorts;
  readonly #machine: Machine;
  readonly #dataFolder: string;
  readonly #configFile: string;
  #daemon: ChildProcess | undefined;

  private constructor(machine: Machine, name: string, ports: MemberPorts, folder: string) {
    this.name = name;
    this.ports = ports;
    this.#machine = machine;
    this.#dataFolder = join(folder, 'data');
    this.#configFile = join(folder, 'patroni.yml');
  }

  static async create(machine: Machine, name: string, ports: MemberPorts, etcdPort: number): Promise<Member> {
    const folder = await makeFolder(machine, name);
    const member = new Member(machine, name, ports, folder);
    const config = {
      scope: 'backoffice',
      name,
      restapi: { listen: `127.0.0.1:${ports.patroni}`, connect_address: `127.0.0.1:${ports.patroni}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: sharedSettings,
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${ports.postgres}`,
        connect_address: `127.0.0.1:${ports.postgres}`,
        data_dir: member.#dataFolder,
        bin_dir: machine.programs.postgres,
        pgpass: join(folder, 'pgpass'),
        authentication: { superuser, replication: replicator, rewind: superuser },
        parameters: { unix_socket_directories: folder },
        pg_hba: [
          'local all all trust',
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
      },
    };
    // JSON is YAML.
    await writeConfig(machine, member.#configFile, JSON.stringify(config, null, 2));
    return member;
  }

  /** Starts Patroni, which starts Postgres, and makes it follow the primary if there is one. */
  async start(): Promise<void> {
    const { programs } = this.#machine;
    this.#daemon = await startDaemon(this.#machine, this.name, programs.patroni, [this.#configFile]);
  }

  /** Ends Patroni, Postgres and all their processes at once, as the loss of the machine does. */
  kill = () => this.#signal('SIGKILL');

  /** Stops all processes, which then keep their connections and answer nothing, as a machine that hangs does. */
  freeze = () => this.#signal('SIGSTOP');

  /** Lets the stopped processes go on, which know nothing of the time between. */
  thaw = () => this.#signal('SIGCONT');

  isPrimary = () => this.#is('primary');

  /** Reports whether it follows the primary, and the primary waits for it at each commit. */
  isSynchronous = () => this.#is('synchronous');

  /** Reports whether it is the primary or follows the primary. */
  isRunning = async () => (await this.isPrimary()) || (await this.#is('replica'));

  /** Asks Patroni whether the member has a role. */
  async #is(role: string): Promise<boolean> {
    return (await statusOf(`http://127.0.0.1:${this.ports.patroni}/${role}`)) === 200;
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const postmaster = Number.parseInt(await readFile(join(this.#dataFolder, 'postmaster.pid'), 'utf8'), 10);
    const patroni = this.#daemon?.pid;
    if (patroni === undefined) throw new Error(`${this.name} does not run.`);
    // Patroni first: it would start Postgres again.
    const pids = [patroni, ...descendantsOf(patroni), postmaster, ...descendantsOf(postmaster)];
    if (signal === 'SIGKILL') killProcesses(pids);
    else for (const pid of pids) process.kill(pid, signal);
  }
}

function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
