import { describe, expect, onTestFinished, test } from 'vitest';
import { startJobs } from '../../src/jobs/start.ts';
import { schedules } from '../../src/jobs/tasks.ts';
import { backofficeHere } from '../support/here.ts';
import { startJobsOf, webhooksHere } from '../support/receivers.ts';

const backoffice = backofficeHere();

test('the job worker logs that the job queue is available again only after a loss', async () => {
  const logged: string[] = [];
  const record = (level: string) => (_details: object, message: string) =>
    logged.push(`${level}: ${message}`);
  const log = { error: record('error'), warn: record('warn'), info: record('info') };
  const { services, databaseUrl } = backoffice.service;
  const jobs = startJobs({ services, databaseUrl, log });
  onTestFinished(() => jobs.stop());

  const workers = () =>
    backoffice.sql(
      `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen "jobs:insert"%'`,
    );
  await expect.poll(workers).toHaveLength(1);
  await backoffice.sql('select pg_terminate_backend($1)', [(await workers())[0]?.pid]);
  await expect.poll(() => logged.at(-1)).toBe('info: job queue available again');
  expect(logged[0]).toBe('warn: job queue unavailable');
});

test('a job raises the alerts of records that came while another transaction updated the alerts', async () => {
  const { sql, api } = backoffice;
  const jobs = startJobsOf(backoffice.service);
  onTestFinished(() => jobs.stop());
  const price = { input: '1.00', output: '0' };
  const models = ['model 0', 'model 1'];
  const put = (key: string, value: unknown) => api.put('/settings', { key, value });
  await put('token_prices', Object.fromEntries(models.map((model) => [model, price])));
  await put('token_budgets', { models: Object.fromEntries(models.map((model) => [model, '2.00'])) });

  await sql('begin');
  await sql(`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('token_alerts'))`);
  for (const model of models) {
    const used = { record_id: model, model, input_tokens: 1_000_000, output_tokens: 0 };
    expect(await api.post('/token-usage', used)).toMatchObject({ status: 200 });
  }
  // Counted by the queue, because the second record takes over the job's key if the first job is already running.
  const running = `select from graphile_worker.jobs where queue_name = 'token_alerts' and locked_at is not null`;
  await expect.poll(() => sql(running)).toHaveLength(1);
  const raised = () =>
    sql(`select data ->> 'model' as model from events
         where type = 'token_alert.raised' and data ->> 'metric' = 'cost' order by id`);
  expect(await raised()).toEqual([]);
  await sql('commit');
  await expect.poll(raised).toEqual(models.map((model) => ({ model })));
});

describe('the schedules', () => {
  const webhooks = webhooksHere();

  /** Runs a scheduled job now and waits until it is done. */
  async function run(name: string): Promise<void> {
    const [job] = await webhooks.sql(`select id from graphile_worker.add_job($1, job_key => $1)`, [name]);
    const queued = () => webhooks.sql('select last_error from graphile_worker.jobs where id = $1', [job?.id]);
    await expect.poll(queued).toEqual([]);
  }

  test('are known to the queue', async () => {
    const known = () => webhooks.sql('select identifier from graphile_worker._private_known_crontabs');
    const names = schedules.map(({ name: identifier }) => ({ identifier }));
    await expect.poll(known).toEqual(expect.arrayContaining(names));
  });

  test('wake a webhook whose job was lost', async () => {
    const { id } = await webhooks.create();
    await webhooks.sql(
      `insert into webhook_deliveries (webhook_id, message_id, type, payload, status, next_attempt_at)
       values ($1, 'evt_1', 'issue.created', '{}', 'pending', now() - interval '2 minutes')`,
      [id],
    );
    await run('wake_webhooks');
    await webhooks.untilDeliveries([{ message_id: 'evt_1', status: 'succeeded' }]);
  });

  test.for([
    [
      'deliveries that ended 30 days ago',
      'purge_deliveries',
      `insert into webhook_deliveries (webhook_id, message_id, type, payload, status, next_attempt_at, created_at)
       select 0, 'evt_' || n, 'issue.created', '{}', status, case status when 'pending' then now() + interval '1 hour' end,
         now() - days * interval '1 day'
       from (values (1, 'succeeded', 31), (2, 'failed', 31), (3, 'pending', 31), (4, 'failed', 29)) as given (n, status, days)`,
      `select string_agg(message_id, ' ' order by id) as left from webhook_deliveries`,
      'evt_3 evt_4',
    ],
    [
      'jobs that failed permanently a week ago',
      'purge_failed_jobs',
      `select graphile_worker.add_job('unknown', run_at => 'infinity') from generate_series(1, 2);
       select graphile_worker.permanently_fail_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = 'unknown';
       update graphile_worker._private_jobs set updated_at = now() - interval '8 days'
       where id = (select max(id) from graphile_worker.jobs where task_identifier = 'unknown')`,
      `select count(*)::text as left from graphile_worker.jobs where task_identifier = 'unknown'`,
      '1',
    ],
    [
      'expired sign-in limits',
      'purge_sign_in_limits',
      `insert into rate_limits
       select key, 1, extract(epoch from now()) * 1000 + ms from (values ('expired', -1), ('alive', 60000)) as given (key, ms)`,
      `select string_agg(key, ' ') as left from rate_limits where key in ('expired', 'alive')`,
      'alive',
    ],
    [
      'answers of calls with a key after 24 hours',
      'purge_idempotency_keys',
      `delete from idempotency_keys;
       insert into idempotency_keys (id, fingerprint, answer, created_at)
       select int4send(number), '', '', now() - make_interval(mins => 1440 * (number % 2), secs => 60)
       from generate_series(1, 12000) as number`,
      `select concat(count(*), ' ', min(created_at) > now() - interval '1 day') as left from idempotency_keys`,
      '6000 t',
    ],
  ] as const)('delete %s', async ([, job, insert, left, expected]) => {
    await webhooks.sql(insert);
    await run(job);
    expect(await webhooks.sql(left)).toEqual([{ left: expected }]);
  });
});
