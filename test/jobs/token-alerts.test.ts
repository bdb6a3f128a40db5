import { beforeEach, expect, test } from 'vitest';
import { backofficeHere } from '../support/here.ts';
import { runJobsOf } from '../support/receivers.ts';

const backoffice = backofficeHere();
const { sql } = backoffice;
const models = Array.from({ length: 60 }, (_, index) => `model ${index}`);
const one = { input: '1.00', output: '0' };

runJobsOf(backoffice);

beforeEach(async () => {
  await sql('truncate token_usage_records, token_alerts; delete from settings; delete from events');
  const budgets = { total: '60.00', models: Object.fromEntries(models.map((model) => [model, '2.00'])) };
  await put('token_prices', Object.fromEntries(models.map((model) => [model, one])));
  await put('token_budgets', budgets);
});

const put = (key: string, value: unknown) => backoffice.api.put('/settings', { key, value });
const record = (model: string) =>
  backoffice.api.post('/token-usage', { record_id: model, model, input_tokens: 1_000_000, output_tokens: 0 });

/** Returns the cost thresholds that raised an alert: those of the total, or the models of the others. */
const raised = async (ofAll: boolean) =>
  (
    await sql(
      `select data ->> 'model' as model, (data -> 'threshold')::float as threshold from events
       where type = 'token_alert.raised' and data ->> 'metric' = 'cost' and (data ->> 'model' is null) = $1
       order by id`,
      [ofAll],
    )
  ).map(({ model, threshold }) => (ofAll ? threshold : model));

test('concurrent ingestion does not block, and each alert is raised once', async () => {
  const answers = await Promise.all(models.map(record));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  // Each model spends half of its budget, and together they spend the whole total budget.
  await expect.poll(async () => (await raised(false)).toSorted()).toEqual(models.toSorted());
  await expect.poll(async () => (await raised(true)).toSorted()).toEqual([0.5, 0.8, 1]);
});

test('queues a job while another transaction updates the alerts', async () => {
  await sql('begin');
  await sql(`select pg_advisory_xact_lock(hashtext('backoffice'), hashtext('token_alerts'))`);
  const answers = await Promise.all(['model 0', 'model 1'].map(record));
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  // Counted by the queue, because the second record takes over the job's key if the first job is already running.
  const running = `select from graphile_worker.jobs where queue_name = 'token_alerts' and locked_at is not null`;
  await expect.poll(() => sql(running)).toHaveLength(1);
  expect(await raised(false)).toEqual([]);
  await sql('commit');
  await expect.poll(() => raised(false)).toEqual(['model 0', 'model 1']);
});
