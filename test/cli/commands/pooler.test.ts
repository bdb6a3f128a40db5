import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { asOwner, asRuntime, createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { type PoolerStandIn, startPoolerStandIn } from '../../support/receivers/pooler.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

const SESSION_SECRET = 'the secret of the cookies in the tests';
const advice =
  'Put it into DATABASE_POOL_URL, and set DATABASE_URL to the address of the Postgres server itself.';
const sentence = `backoffice: DATABASE_URL leads to a pooler. ${advice}`;
const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

describe.each([
  { name: 'a pooler', ignored: [] },
  { name: 'a pooler that ignores timeouts', ignored: timeouts },
])('with $name in DATABASE_URL', ({ ignored }) => {
  let database: TestDatabase;
  let pooler: PoolerStandIn;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPoolerStandIn(asRuntime(database.url), ignored);
    env = { DATABASE_URL: pooler.url, SESSION_SECRET };
  });

  afterAll(async () => {
    await pooler?.close();
    await database?.drop();
  });

  test.for([['serve'], ['up']])('%s ends with one sentence', async (args) => {
    const command = startBackoffice(args, { env });
    onTestFinished(() => void command.process.kill('SIGKILL'));
    const { code, stdout, stderr } = await command.finished;
    expect([code, lastLine(stderr), stdout]).toEqual([2, sentence, '']);
  });

  test.for([
    ['migrate', 'up'],
    ['migrate', 'status'],
    ['issues', 'list'],
    ['settings', 'list'],
    ['backup', '-'],
  ])('%s %s does too', async (args) => {
    const { code, stdout, stderr } = await backoffice(args, { env });
    expect([code, stdout, stderr]).toEqual([2, '', `${sentence}\n`]);
  });

  test('doctor names it once, and checks nothing that needs the server', async () => {
    const { code, stdout } = await backoffice(['doctor', '--json'], { env });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([
      { check: 'database', state: 'failed', detail: 'DATABASE_URL leads to a pooler', mend: advice },
    ]);
    expect(checks.map(({ check }) => check)).not.toContain('migrations');
  });

  test('in DATABASE_OWNER_URL, commands and doctor name that variable', async () => {
    const owner = { DATABASE_URL: asRuntime(database.url), SESSION_SECRET };
    const url = new URL(pooler.url);
    const { username, password } = new URL(asOwner(database.url));
    Object.assign(url, { username, password });
    const withOwner = { ...owner, DATABASE_OWNER_URL: url.href };
    const { code, stderr } = await backoffice(['migrate', 'up'], { env: withOwner });
    const problem = 'DATABASE_OWNER_URL leads to a pooler';
    const mend = 'Set it to the address of the Postgres server itself.';
    expect([code, stderr]).toEqual([2, `backoffice: ${problem}. ${mend}\n`]);
    const { stdout } = await backoffice(['doctor', '--json'], { env: withOwner });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    expect(checks).toContainEqual({ check: 'database owner', state: 'failed', detail: problem, mend });
  });

  test.for([
    ['serve', /listens on/],
    ['up', /Retrying/],
  ] as const)(
    '%s starts while the server behind it is down, and ends when it answers',
    async ([word, shown]) => {
      const away = await startPoolerStandIn(asRuntime(database.url), ignored);
      onTestFinished(() => away.close());
      away.isAvailable = false;
      const command = startBackoffice([word], { env: { ...env, DATABASE_URL: away.url } });
      onTestFinished(() => void command.process.kill('SIGKILL'));
      await command.shows(shown);
      away.isAvailable = true;
      const { code, stderr } = await command.finished;
      expect(code).toBe(2);
      // The log goes on until the process has ended.
      expect(stderr.split('\n')).toContain(sentence);
    },
  );
});
