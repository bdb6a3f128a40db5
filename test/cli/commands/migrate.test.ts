import { expect, onTestFinished, test } from 'vitest';
import { makeBaseline, makeFormerSchema } from '../../db/migrate/former-schema.ts';
import { withClient } from '../../support/postgres/server.ts';
import { createEmptyDatabase, createTestDatabase } from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';

const migrateIn =
  (url: string) =>
  (...args: string[]) =>
    backoffice(['migrate', ...args], { env: { DATABASE_URL: url } });

test('shows, plans and applies migrations', async () => {
  const empty = await createEmptyDatabase();
  onTestFinished(() => empty.drop());
  const migrate = migrateIn(empty.url);
  expect((await migrate('status')).stdout).toMatch(/0001_\w+\tpending/);
  expect((await migrate('up', '--dry-run')).stdout).toMatch(/^Would apply 0001_/);
  expect((await migrate('up')).stdout).toMatch(/^Applied 0001_/);
  expect(await migrate('up')).toMatchObject({ stdout: 'The schema is up to date.\n', stderr: '' });
  const { migrations } = JSON.parse((await migrate('status', '--json')).stdout);
  expect(migrations[0]).toEqual({
    name: '0001_functions',
    state: 'applied',
    appliedAt: expect.stringMatching(/Z$/),
  });
  expect(await migrate('down')).toMatchObject({ code: 2, stdout: '' });
});

test('says how much disk an upgrade needs, and what it applies', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const migrate = migrateIn(database.url);
  await withClient(database.url, makeBaseline);
  const disk = expect.stringMatching(
    /^The migrations need up to \d+ MB of free disk on the database server for a while\.$/,
  );
  const planned = await migrate('up', '--dry-run');
  expect(planned.stdout).toBe('Would apply 0014_labels\n');
  expect(planned.stderr.split('\n')).toEqual([disk, '']);
  const applied = await migrate('up');
  expect(applied.stdout).toBe('Applied 0014_labels\n');
  const took = expect.stringMatching(/^0014_labels took /);
  expect(applied.stderr.split('\n')).toEqual([disk, 'Applying 0014_labels (1 of 1)', took, '']);
});

test('adopts a database of 0.2.0, and refuses an older one', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const migrate = migrateIn(database.url);
  await withClient(database.url, (client) => makeFormerSchema(client, 49));
  expect(await migrate('up', '--dry-run')).toMatchObject({
    code: 0,
    stdout: 'Would adopt the schema of Backoffice 0.2.0\nWould apply 0014_labels\n',
  });
  expect(await migrate('up')).toMatchObject({
    stdout: 'Applied 0014_labels\n',
    stderr: expect.stringContaining(
      'Adopted the schema of Backoffice 0.2.0. Its migrations now count as the first ones of this version.\n',
    ),
  });
  await withClient(database.url, (client) => makeFormerSchema(client, 47));
  for (const args of [['up'], ['up', '--dry-run'], ['status']]) {
    expect(await migrate(...args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'backoffice: The schema of this database is older than that of Backoffice 0.2.0. ' +
        'Upgrade to 0.2.0 first, then to this version.\n',
    });
  }
});

test('refuses a name from which no file name can be made', async () => {
  expect(await backoffice(['migrate', 'create', 'Bad Name!'])).toMatchObject({ code: 2, stdout: '' });
});
