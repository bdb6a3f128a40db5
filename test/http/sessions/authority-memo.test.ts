import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AuthorityMemo } from '../../../src/services/sign-in/authority-memo.ts';
import { withClient } from '../../support/database/client.ts';
import { revokeApiToken } from '../../support/http/api-tokens.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import {
  openSession,
  type SignedIn,
  startTestService,
  type TestService,
} from '../../support/http/service.ts';
import { statusWith } from '../../support/http/sign-in.ts';
import { serveProcess } from '../../support/terminal/server-process.ts';

const backoffice = backofficeOfThisFile();
let second: TestService;
let admin: SignedIn;

beforeAll(async () => {
  second = await startTestService({ DATABASE_URL: backoffice.service.databaseUrl });
});

afterAll(() => second?.stop());

beforeEach(async () => {
  admin = await backoffice.service.signIn('superadmin');
});

/** The databases of other test files are copies, so their tables have the same object ids. */
const holders = () =>
  backoffice.sql(
    `select pid, application_name as name from pg_locks join pg_stat_activity using (pid)
     where datname = current_database() and relation = 'authority_lock'::regclass and mode = 'ShareLock' and granted`,
  );

interface Requests {
  /** The status of each answer, in the order of the requests. */
  readonly statuses: number[];
  stop(): Promise<void>;
}

/** Sends requests to both instances, one after the other, until it is stopped. */
function keepRequesting(headers: Record<string, string>): Requests {
  const statuses: number[] = [];
  let isStopped = false;
  const done = Promise.all(
    [backoffice.service, second].map(async (instance) => {
      while (!isStopped) {
        const { status } = await instance.fetch('/api/admin/session', { headers });
        if (!isStopped) statuses.push(status);
      }
    }),
  );
  return {
    statuses,
    async stop() {
      isStopped = true;
      await done;
    },
  };
}

/** Makes a change while both instances remember a caller, and expects both to refuse it from then on. */
async function expectRefused(headers: Record<string, string>, change: () => Promise<unknown>): Promise<void> {
  const requests = keepRequesting(headers);
  try {
    await expect.poll(async () => (await holders()).length, { interval: 1 }).toBe(2);
    await expect.poll(() => requests.statuses).toContain(200);
    await change();
    // Requests that are sent after the change was answered.
    const answers = await Promise.all(
      [second, backoffice.service, second, backoffice.service].map(
        async (instance) => (await instance.fetch('/api/admin/session', { headers })).status,
      ),
    );
    expect(answers).toEqual([401, 401, 401, 401]);
  } finally {
    await requests.stop();
  }
}

const mine = () => ({ cookie: admin.cookie });

describe('two instances that remember a session refuse it as soon as this is answered:', () => {
  test.for<[string, () => Promise<unknown>]>([
    [
      'its sign-out',
      () => backoffice.service.fetch('/api/admin/session', { method: 'DELETE', headers: mine() }),
    ],
    [
      'the end of the sessions of its admin',
      () => backoffice.superadmin.client.call('sessions.revoke', { admin_id: admin.id }),
    ],
    [
      'another role',
      () => backoffice.superadmin.client.call('admins.update', { id: admin.id, role: 'user' }),
    ],
    [
      'another password',
      () => backoffice.superadmin.client.call('admins.update', { id: admin.id, password: 'battery staple' }),
    ],
    [
      'deactivation',
      () => backoffice.superadmin.client.call('admins.changeActivity', { id: admin.id, is_active: 0 }),
    ],
    ['deletion', () => backoffice.superadmin.client.call('admins.delete', { id: admin.id })],
    [
      'deactivation in SQL',
      () => backoffice.sql('update admins set is_active = 0 where id = $1', [admin.id]),
    ],
    ['deletion in SQL', () => backoffice.sql('delete from sessions where admin_id = $1', [admin.id])],
    [
      'expiry in SQL',
      () => backoffice.sql(`update sessions set expire = now() where admin_id = $1`, [admin.id]),
    ],
    [
      'idleness in SQL',
      () =>
        backoffice.sql(`update sessions set last_seen_at = now() - interval '1 day' where admin_id = $1`, [
          admin.id,
        ]),
    ],
  ])('%s', async ([, change]) => {
    await expectRefused(mine(), change);
  });
});

test('two instances that remember a token refuse it as soon as it is revoked', async () => {
  const { secret, token } = await backoffice.service.createToken('user');
  await expectRefused({ authorization: `Bearer ${secret}` }, () =>
    revokeApiToken(backoffice.service.services.databases.primary, token.id, 'tests'),
  );
});

test('a change of the name is in the next answer of both instances', async () => {
  const requests = keepRequesting(mine());
  for (let round = 0; round < 5; round++) {
    const username = `Name ${round}`;
    await admin.client.call('admins.update', { id: admin.id, username });
    for (const instance of [second, backoffice.service]) {
      const response = await instance.fetch('/api/admin/session', { headers: mine() });
      expect(await response.json()).toMatchObject({ admin: { username } });
    }
  }
  await requests.stop();
});

test('a change that has not committed stops both from remembering, and takes effect when it commits', async () => {
  const requests = keepRequesting(mine());
  await expect.poll(async () => (await holders()).length, { interval: 1 }).toBe(2);
  await withClient(backoffice.service.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('update admins set is_active = 0 where id = $1', [admin.id]);
    expect(await holders()).toEqual([]);
    expect(await statusWith(second, admin.cookie)).toBe(200);
    // Another change does not wait for this one.
    const other = await backoffice.service.signIn('user');
    await other.client.call('session.delete', {});
    expect(await statusWith(second, other.cookie)).toBe(401);
    await client.query('commit');
  });
  expect(await statusWith(second, admin.cookie)).toBe(401);
  await requests.stop();
});

test('a session ends when it expires, also while it is remembered', async () => {
  const requests = keepRequesting(mine());
  await backoffice.sql(`update sessions set expire = now() + interval '1 second' where admin_id = $1`, [
    admin.id,
  ]);
  await expect.poll(() => requests.statuses.at(-1)).toBe(401);
  await requests.stop();
  const [{ ended } = { ended: false }] = await backoffice.sql<{ ended: boolean }>(
    'select expire < now() as ended from sessions where admin_id = $1',
    [admin.id],
  );
  expect(ended).toBe(true);
});

test('an instance whose connection is killed refuses the session at once, and later remembers again', async () => {
  const requests = keepRequesting(mine());
  const pids = async () => (await holders()).map(({ pid }) => Number(pid));
  await expect.poll(async () => (await pids()).length, { interval: 1 }).toBe(2);
  const killed = await pids();
  await backoffice.sql('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [killed]);
  await backoffice.sql('delete from sessions where admin_id = $1', [admin.id]);
  expect(await statusWith(second, admin.cookie)).toBe(401);
  expect(await statusWith(backoffice.service, admin.cookie)).toBe(401);
  await requests.stop();

  const others = keepRequesting({ cookie: backoffice.superadmin.cookie });
  await expect.poll(async () => (await pids()).filter((pid) => !killed.includes(pid)).length).toBe(2);
  await others.stop();
});

test('a process that is frozen while it remembers a session refuses it when it continues', async () => {
  const frozen = await serveProcess(backoffice.service.databaseUrl, { PGAPPNAME: 'frozen' });
  const cookie = await openSession(frozen.url, admin.email);
  const request = () => fetch(`${frozen.url}/api/admin/session`, { headers: { cookie } });
  try {
    const isHolding = async () => {
      await Promise.all([request(), request(), request()]);
      frozen.command.process.kill('SIGSTOP');
      const isHeld = (await holders()).some(({ name }) => name === 'frozen');
      if (!isHeld) frozen.command.process.kill('SIGCONT');
      return isHeld;
    };
    await expect.poll(isHolding, { interval: 1 }).toBe(true);
    await backoffice.superadmin.client.call('admins.update', { id: admin.id, role: 'user' });
    const answer = request();
    frozen.command.process.kill('SIGCONT');
    expect((await answer).status).toBe(401);
  } finally {
    frozen.command.process.kill('SIGCONT');
    await frozen.command.stop('SIGTERM');
  }
});

test('an instance whose thread was busy for longer than it may rely on the lock reads again', async () => {
  const memo = new AuthorityMemo({
    databaseUrl: backoffice.service.databaseUrl,
    log: pino({ level: 'silent' }),
  });
  let reads = 0;
  const find = async () => {
    const before = reads;
    await memo.find('key', async () => {
      reads++;
      return { freshSeconds: 60 };
    });
    return reads > before ? 'read' : 'remembered';
  };
  while ((await find()) === 'read') await setImmediate();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect(await find()).toBe('read');
  await memo.close();
});

test('a burst of requests shares what is read after all of them have come', async () => {
  const memo = new AuthorityMemo({
    databaseUrl: backoffice.service.databaseUrl,
    log: pino({ level: 'silent' }),
  });
  try {
    let reads = 0;
    const read = async () => {
      reads++;
      return null;
    };
    await Promise.all(Array.from({ length: 20 }, () => memo.find('session', read)));
    expect(reads).toBe(2);
  } finally {
    await memo.close();
  }
});

test('two instances refuse all sessions as soon as the table is truncated', async () => {
  await expectRefused(mine(), () => backoffice.sql('truncate sessions'));
});
