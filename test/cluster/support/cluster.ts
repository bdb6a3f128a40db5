import { withClient } from '../../support/postgres/server.ts';
import { freePorts, thisMachine, until, untilHealthy } from './machine.ts';
import { Member, superuser } from './member.ts';
import { owner, startEtcd, startHaproxy, startPgbouncer } from './proxies.ts';

/** Three Postgres servers, of which one is the primary and one the synchronous replica, and what leads to them. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Starts a cluster with an empty database. `run.ts` ends it. */
export async function startCluster() {
  const machine = await thisMachine();
  const ports = await freePorts(11);
  const next = () => ports.pop() ?? 0;

  const etcdPort = next();
  await startEtcd(machine, etcdPort, next());
  await untilHealthy(`http://127.0.0.1:${etcdPort}/health`);
  const members: Member[] = [];
  for (const name of ['member-1', 'member-2', 'member-3']) {
    const member = await Member.create(machine, name, { postgres: next(), patroni: next() }, etcdPort);
    await member.start();
    members.push(member);
  }
  const [primaryPort, replicaPort, poolerPort] = [next(), next(), next()];
  await startHaproxy(machine, members, { primary: primaryPort, replicas: replicaPort });
  await startPgbouncer(machine, poolerPort, primaryPort);

  const cluster = {
    machine,
    primaryUrl: urlOf(primaryPort),
    pooledUrl: urlOf(poolerPort),
    replicaUrl: urlOf(replicaPort),
    primary: () => find(members, 'a primary', (member) => member.isPrimary()),
    /** Returns the member that the primary waits for at each commit. */
    synchronousReplica: () => find(members, 'a synchronous replica', (member) => member.isSynchronous()),
    /** Resolves once all members run: one is the primary, and one of the others synchronous. */
    async untilComplete() {
      const count = async (is: (member: Member) => Promise<boolean>) =>
        (await Promise.all(members.map(is))).filter(Boolean).length;
      await until('one primary, one synchronous replica, three members that run', async () => {
        const primaries = await count((member) => member.isPrimary());
        const synchronous = await count((member) => member.isSynchronous());
        return primaries === 1 && synchronous === 1 && (await count((member) => member.isRunning())) === 3;
      });
    },
  };
  await cluster.untilComplete();
  await createDatabase(await cluster.primary());
  return cluster;
}

/** Returns the first member that is wanted, as soon as there is one. */
async function find(
  members: readonly Member[],
  wanted: string,
  is: (member: Member) => Promise<boolean>,
): Promise<Member> {
  let found: Member | undefined;
  await until(`there is ${wanted}`, async () => {
    for (const member of members) if (found === undefined && (await is(member))) found = member;
    return found !== undefined;
  });
  return found as Member;
}

function urlOf(port: number): string {
  const { username, password, database } = owner;
  return `postgres://${username}:${password}@127.0.0.1:${port}/${database}`;
}

async function createDatabase({ ports }: Member): Promise<void> {
  const { username, password } = superuser;
  const url = `postgres://${username}:${encodeURIComponent(password)}@127.0.0.1:${ports.postgres}/postgres`;
  await withClient(url, async (client) => {
    await client.query(`create role ${owner.username} login password '${owner.password}'`);
    await client.query(`create database ${owner.database} owner ${owner.username}`);
  });
}
