import { afterEach, expect, test } from 'vitest';
import { startJobs } from '../../src/jobs/start.ts';
import { backofficeHere } from '../support/here.ts';

const backoffice = backofficeHere();
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

test('logs that the job queue is available again only after a loss', async () => {
  const logged: string[] = [];
  const record = (level: string) => (_details: object, message: string) =>
    logged.push(`${level}: ${message}`);
  const log = { error: record('error'), warn: record('warn'), info: record('info') };
  const { services, databaseUrl } = backoffice.service;
  const jobs = startJobs({ services, databaseUrl, log });
  stops.push(() => jobs.stop());

  const workers = async () => {
    const rows = await backoffice.sql<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen "jobs:insert"%'`,
    );
    return rows.map(({ pid }) => pid);
  };
  await expect.poll(workers).toHaveLength(1);
  await backoffice.sql('select pg_terminate_backend($1)', [(await workers())[0]]);
  await expect.poll(() => logged.at(-1)).toBe('info: job queue available again');
  expect(logged[0]).toBe('warn: job queue unavailable');
});
