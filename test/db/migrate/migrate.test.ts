import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../src/db/connection/database.ts';
import { migrationsFolder } from '../../../src/db/migrate/files.ts';
import {
  assertSupportedServer,
  migrateUp,
  migrationLockId,
  planMigrations,
} from '../../../src/db/migrate/migrate.ts';
import { runStep } from '../../../src/db/migrate/progress.ts';
import { isSchemaCurrent, migrationStatus } from '../../../src/db/migrate/status.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { withClient } from '../../support/postgres/server.ts';
import {
  asRuntime,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/postgres.ts';
import { makeFormerSchema, namesAfterBaseline, schemaSnapshot } from './schemas.ts';

let database: TestDatabase;
let databaseUrl: string;
/** A copy of the migrations that a test may change. */
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  databaseUrl = database.url;
  folder = await mkdtemp(join(tmpdir(), 'backoffice-migrations-'));
  await cp(migrationsFolder(), folder, { recursive: true });
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Gives the test a database with all migrations, which takes less time than to apply them. */
async function useMigrated(): Promise<void> {
  await database.drop();
  database = await createTestDatabase();
  databaseUrl = database.url;
}

/** Adds a migration after all others. Returns its name. */
async function addMigration(sql: string, number = 9001): Promise<string> {
  await writeFile(join(folder, `${number}_extra.sql`), sql);
  return `${number}_extra`;
}

const snapshot = () => withClient(databaseUrl, schemaSnapshot);

describe('migrateUp', () => {
  test('creates the job queue, and again if it is missing', async () => {
    const hasQueue = () =>
      queryRows(database, `select to_regclass('graphile_worker.jobs') is not null as found`);
    await useMigrated();
    expect(await hasQueue()).toEqual([{ found: true }]);
    await queryRows(databaseUrl, 'drop schema graphile_worker cascade');
    await migrateUp({ databaseUrl });
    expect(await hasQueue()).toEqual([{ found: true }]);
  });

  test('instances that start together all succeed, and each migration is applied once', async () => {
    const results = await Promise.all([1, 2, 3].map(() => migrateUp({ databaseUrl })));
    const status = await migrationStatus({ databaseUrl });
    expect(results.flat().sort()).toEqual(status.map(({ name }) => name));
  });

  test('tells of each migration of an upgrade, and nothing of a new database; what fails leaves nothing behind', async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    await migrateUp({ databaseUrl, log });
    expect(lines).toEqual([]);
    const first = await addMigration('select;');
    const failing = await addMigration('create table half_made (id integer); select 1 / 0;', 9002);
    const next = await addMigration('select;', 9003);
    await expect(migrateUp({ databaseUrl, folder, log })).rejects.toThrow('division by zero');
    expect(lines).toEqual([
      'The migrations need up to 0 MB of free disk on the database server for a while.',
      ...[`Applying ${first} (1 of 3)`, expect.stringMatching(/ took \d+\.\d s$/)],
      `Applying ${failing} (2 of 3)`,
    ]);
    const status = await migrationStatus({ databaseUrl, folder });
    const pending = status.filter(({ state }) => state === 'pending');
    expect(pending.map(({ name }) => name)).toEqual([failing, next]);
    expect((await snapshot()).filter((line) => line.includes('half_made'))).toEqual([]);
  });

  test('needs more disk if the tables are large that its migrations name, whatever the others are', async () => {
    await useMigrated();
    await addMigration('alter table issue_history add column extra text;');
    const neededMb = async () => {
      const { disk } = await planMigrations({ databaseUrl, folder });
      return Number(/up to (\d+) MB/.exec(disk)?.[1]);
    };
    const large = `(text) as select repeat('x', 1000) from generate_series(1, 10000)`;
    const before = await neededMb();
    await queryRows(databaseUrl, `create table issue_history_of_others ${large}`);
    expect(await neededMb()).toBe(before);
    await queryRows(databaseUrl, `drop table issue_history cascade; create table issue_history ${large}`);
    expect(await neededMb()).toBeGreaterThan(before + 10);
  });

  test('an instance that waits for another that migrates says so', async () => {
    await useMigrated();
    const waits = Promise.withResolvers<string>();
    let waiting: Promise<unknown> = Promise.resolve();
    await withClient(databaseUrl, async (client) => {
      await client.query('select pg_advisory_lock($1)', [migrationLockId]);
      waiting = migrateUp({ databaseUrl, log: waits.resolve });
      expect(await waits.promise).toBe('Another process migrates the database. Waiting for it.');
    });
    expect(await waiting).toEqual([]);
  });
});

describe('a changed history', () => {
  test.for([
    [
      'edited',
      '0005_issues',
      (file: string) => writeFile(file, 'select;'),
      'Migration 0005_issues was edited after it was applied',
    ],
    [
      'missing',
      '0005_issues',
      (file: string) => rm(file),
      'Migration 0005_issues was applied to this database, but its file is missing',
    ],
    [
      'pending',
      '0005_later',
      (file: string) => writeFile(file, 'select;'),
      'Migration 0005_later is not applied, but a later one is. Give it a higher number.',
    ],
  ] as const)('is reported as %s, and stops the next migration', async ([state, name, change, text]) => {
    await useMigrated();
    await change(join(folder, `${name}.sql`));
    const status = await migrationStatus({ databaseUrl, folder });
    expect(status.filter((each) => each.state !== 'applied')).toMatchObject([{ name, state }]);
    await expect(migrateUp({ databaseUrl, folder })).rejects.toThrow(text);
  });
});

test('rejects a server older than Postgres 15', () => {
  expect(() => assertSupportedServer('14.19')).toThrow(
    'Backoffice needs Postgres 15 or newer. This server is 14.19.',
  );
  expect(() => assertSupportedServer('15.0')).not.toThrow();
});

test('before any migration all are pending; the schema is current once the newest is applied, at a time of any zone', async () => {
  const pool = openDatabase({ databaseUrl });
  for (const each of await migrationStatus({ databaseUrl }))
    expect(each).toMatchObject({ state: 'pending', appliedAt: null });
  expect(await queryRows(databaseUrl, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
  expect(await isSchemaCurrent(pool)).toBe(false);

  await migrateUp({ databaseUrl: `${databaseUrl}?options=-c%20TimeZone%3DAsia/Kathmandu` });
  const [first] = await migrationStatus({ databaseUrl });
  expect(Math.abs(Date.now() - Date.parse(first?.appliedAt ?? ''))).toBeLessThan(60_000);
  expect(await isSchemaCurrent(pool)).toBe(true);
  await addMigration('select 1;');
  expect(await isSchemaCurrent(pool, folder)).toBe(false);
  await pool.close();
});

describe('a schema of the former migrations', () => {
  beforeEach(useMigrated);

  // A schema of before 0048 is refused, as the test of the command shows.
  test.each([48, 50])(
    '00%i becomes this version once for all instances, and keeps its rows',
    async (newest) => {
      const schema = await snapshot();
      const newer = await namesAfterBaseline();
      await makeFormerSchema(databaseUrl, newest);
      await queryRows(databaseUrl, `insert into issues (title) values ('kept')`);
      await expect(migrateUp({ databaseUrl: asRuntime(databaseUrl) })).rejects.toThrow(
        'The role in DATABASE_URL may not change the schema.',
      );
      const results = await Promise.all([1, 2, 3].map(() => migrateUp({ databaseUrl })));
      expect(results.flat()).toEqual(newer);
      expect(await snapshot()).toEqual(schema);
      expect(await queryRows(database, 'select title from issues')).toEqual([{ title: 'kept' }]);
      const status = await migrationStatus({ databaseUrl });
      expect(status.filter(({ state }) => state !== 'applied')).toEqual([]);
      expect(status[0]?.appliedAt).toBe(`2026-11-01T12:${newest}:00.000Z`);
      expect(await planMigrations({ databaseUrl })).toMatchObject({ names: [], adopts: false });
    },
  );

  test('is adopted as a whole or not at all', async () => {
    await makeFormerSchema(databaseUrl, 48);
    const state = async () => [await queryRows(database, 'select * from migrations'), await snapshot()];
    const before = await state();
    await queryRows(databaseUrl, 'create view uses as select opens_secrets from job_workers');
    await expect(migrateUp({ databaseUrl })).rejects.toThrow('other objects depend on it');
    await queryRows(databaseUrl, 'drop view uses');
    expect(await state()).toEqual(before);
  });
});

test('a long step says every ten seconds that it goes on, and how long it took', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  await runStep(log, 'one', 'Applying one (1 of 2)', async () => void vi.advanceTimersByTime(65_000));
  vi.advanceTimersByTime(60_000);
  const times = ['10 s', '20 s', '30 s', '40 s', '50 s', '1 min 0 s'];
  const still = times.map((time) => `one still runs after ${time}`);
  expect(lines).toEqual(['Applying one (1 of 2)', ...still, 'one took 1 min 5 s']);
});
