import { describe, expect, test } from 'vitest';
import { schedules } from '../../src/jobs/tasks.ts';
import { webhooksHere } from '../support/receivers.ts';

const webhooks = webhooksHere();

/** Runs a scheduled job now and waits until it is done. */
async function run(name: string): Promise<void> {
  const [job] = await webhooks.sql(`select id from graphile_worker.add_job($1, job_key => $1)`, [name]);
  const queued = () => webhooks.sql('select last_error from graphile_worker.jobs where id = $1', [job?.id]);
  await expect.poll(queued).toEqual([]);
}

const insertDelivery = (values: string) =>
  webhooks.sql(
    `insert into webhook_deliveries (webhook_id, message_id, type, payload, status, next_attempt_at, created_at)
     values (${values})`,
  );

describe('schedules', () => {
  test('have unique names and are known to the queue', async () => {
    const names = schedules.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const known = () => webhooks.sql('select identifier from graphile_worker._private_known_crontabs');
    await expect.poll(known).toEqual(expect.arrayContaining(names.map((identifier) => ({ identifier }))));
  });

  test('wake a webhook whose job was lost', async () => {
    const { id } = await webhooks.create();
    await insertDelivery(
      `${id}, 'evt_1', 'issue.created', '{}', 'pending', now() - interval '2 minutes', now()`,
    );
    await run('wake_webhooks');
    await webhooks.untilDeliveries([{ message_id: 'evt_1', status: 'succeeded' }]);
  });

  test('delete deliveries that ended 30 days ago', async () => {
    const old = `now() - interval '31 days'`;
    await insertDelivery(`0, 'evt_1', 'issue.created', '{}', 'succeeded', null, ${old}`);
    await insertDelivery(`0, 'evt_2', 'issue.created', '{}', 'failed', null, ${old}`);
    await insertDelivery(`0, 'evt_3', 'issue.created', '{}', 'pending', now() + interval '1 hour', ${old}`);
    await insertDelivery(`0, 'evt_4', 'issue.created', '{}', 'failed', null, now() - interval '29 days'`);
    await run('purge_deliveries');
    expect((await webhooks.deliveries()).map(({ message_id }) => message_id)).toEqual(['evt_3', 'evt_4']);
  });

  test('delete jobs that failed permanently a week ago', async () => {
    await webhooks.sql(
      `select graphile_worker.add_job('unknown', run_at => 'infinity') from generate_series(1, 2)`,
    );
    await webhooks.sql(
      `select graphile_worker.permanently_fail_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = 'unknown'`,
    );
    await webhooks.sql(
      `update graphile_worker._private_jobs set updated_at = now() - interval '8 days'
       where id = (select max(id) from graphile_worker.jobs where task_identifier = 'unknown')`,
    );
    await run('purge_failed_jobs');
    const left = await webhooks.sql(`select from graphile_worker.jobs where task_identifier = 'unknown'`);
    expect(left).toHaveLength(1);
  });

  test('delete expired sign-in limits', async () => {
    const [expired, alive] = [Date.now() - 1, Date.now() + 60_000];
    await webhooks.sql(`insert into rate_limits values ('expired', 1, $1), ('alive', 1, $2)`, [
      expired,
      alive,
    ]);
    await run('purge_sign_in_limits');
    const left = await webhooks.sql(`select key from rate_limits where key in ('expired', 'alive')`);
    expect(left).toEqual([{ key: 'alive' }]);
  });

  test('delete the answers of calls with a key after 24 hours', async () => {
    await webhooks.sql('delete from idempotency_keys');
    await webhooks.sql(
      `insert into idempotency_keys (id, fingerprint, answer, created_at)
       select int4send(number), '', '', now() - make_interval(mins => 1440 * (number % 2), secs => 60)
       from generate_series(1, 12000) as number`,
    );
    await run('purge_idempotency_keys');
    const left = await webhooks.sql(
      "select count(*)::int, min(created_at) > now() - interval '1 day' as fresh from idempotency_keys",
    );
    expect(left).toEqual([{ count: 6000, fresh: true }]);
  });
});
