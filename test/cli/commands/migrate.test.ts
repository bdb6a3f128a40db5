import { expect, test } from 'vitest';
import { createEmptyDatabase } from '../../support/database/database.ts';
import { backoffice } from '../../support/terminal/hosted-command.ts';

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
  expect(status.at(-1)).toMatchObject({ state: 'pending', appliedAt: null });
  await empty.drop();
});

test('refuses a name from which no file name can be made', async () => {
  expect(await backoffice(['migrate', 'create', 'Bad Name!'])).toMatchObject({ code: 2, stdout: '' });
});
