import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeAudit } from '../../../src/services/background/retention.ts';
import { serviceActor } from '../../../src/services/call/actor.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { backoffice } from '../../support/run.ts';

let service: TestService;

const query = (text: string) =>
  withClient(service.databaseUrl, async (client) => (await client.query(text)).rows);
const expired = 12_000;

beforeAll(async () => {
  service = await startTestService();
  await query(`
    insert into audit_records (id, created_at, actor_kind, actor_name, door, operation, event)
    select -n, now() - case when n <= ${expired} then interval '91 days' else interval '89 days' end,
      'operator', 'tests', 'cli', 'issues.create', 'issue.created'
    from generate_series(1, ${expired} + 10) as n
  `);
});

afterAll(() => service?.stop());

const run = (...args: string[]) =>
  backoffice(['audit', 'purge', ...args], { env: { DATABASE_URL: service.databaseUrl } });

test('keeps every audit record without the setting', async () => {
  expect(await purgeAudit(service.services, serviceActor)).toBe(0);
  expect(await run('--yes', '--json')).toMatchObject({
    code: 0,
    stdout: '{"expired":0,"removed":0,"before":null}\n',
    stderr: expect.stringContaining('All records are kept'),
  });
});

test('deletes older audit records in batches and records each batch', async () => {
  await query(`insert into settings (setting_key, setting_value) values ('audit_retention_days', '90')`);
  const dryRun = await run('--dry-run');
  expect(dryRun).toMatchObject({ code: 0, stdout: '' });
  expect(dryRun.stderr).toMatch(/^Found 12,000 audit records from before \S+\.\n$/);
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });

  const progress: number[] = [];
  const stop = new AbortController();
  const onProgress = (removed: number) => {
    progress.push(removed);
    if (removed >= 10_000) stop.abort();
  };
  expect(await purgeAudit(service.services, serviceActor, { onProgress, stop: stop.signal })).toBe(10_000);
  expect(progress).toEqual([5_000, 10_000]);
  expect(await run('--yes')).toMatchObject({ code: 0, stdout: 'Deleted 2,000 audit records.\n' });

  expect(
    await query(`
      select actor_kind, door, (after ->> 'records')::integer as records
      from audit_records where event = 'audit.purged' order by id
    `),
  ).toEqual([
    { actor_kind: 'service', door: 'job', records: 5_000 },
    { actor_kind: 'service', door: 'job', records: 5_000 },
    { actor_kind: 'operator', door: 'cli', records: 2_000 },
  ]);
  expect(await query('select count(*)::integer from audit_records where id < 0')).toEqual([{ count: 10 }]);
});
