import { expect, test } from 'vitest';
import { createEmptyDatabase } from '../../support/postgres.ts';
import { backoffice } from '../../support/run.ts';

test('applies and reverts migrations', async () => {
  const empty = await createEmptyDatabase();
  const migrate = (args: string[]) => backoffice(['migrate', ...args], { env: { DATABASE_URL: empty.url } });
  expect((await migrate(['status'])).stdout).toMatch(/0001_\w+\tpending/);
  expect((await migrate(['up'])).stdout).toMatch(/^Applied 0001_/);
  expect((await migrate(['up'])).stdout).toBe('The schema is up to date.\n');
  const refused = await migrate(['down']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect((await migrate(['down', '--yes'])).stdout).toMatch(/^Reverted \d{4}_/);
  const status = JSON.parse((await migrate(['status', '--json'])).stdout).migrations;
  const newest = status.at(-1);
  expect(newest).toMatchObject({ state: 'pending', appliedAt: null });
  const disk = expect.stringMatching(
    /^The migrations need up to \d+ MB of free disk on the database server for a while\.$/,
  );
  const planned = await migrate(['up', '--dry-run']);
  expect(planned.stdout).toBe(`Would apply ${newest.name}\n`);
  expect(planned.stderr.split('\n')).toEqual([disk, '']);
  const applied = await migrate(['up']);
  expect(applied.stdout).toBe(`Applied ${newest.name}\n`);
  const took = expect.stringMatching(new RegExp(`^${newest.name} took `));
  expect(applied.stderr.split('\n')).toEqual([disk, `Applying ${newest.name} (1 of 1)`, took, '']);
  await empty.drop();
});

test('refuses a name from which no file name can be made', async () => {
  expect(await backoffice(['migrate', 'create', 'Bad Name!'])).toMatchObject({ code: 2, stdout: '' });
});
