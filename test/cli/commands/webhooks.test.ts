import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningJobs } from '../../../src/jobs/start.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { type Receiver, respondWith, startJobsOf, startReceiver } from '../../support/receivers.ts';
import type { Finished } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

const allowed = { BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' };
let service: TestService;
let jobs: RunningJobs;
let receiver: Receiver;
/** The environment of a command that works on the database, or through a server. */
const ways: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  service = await startTestService(allowed);
  jobs = startJobsOf(service);
  receiver = await startReceiver();
  const { secret } = await service.createToken('superadmin');
  ways['on the database'] = { DATABASE_URL: service.databaseUrl, ...allowed };
  ways['through a server'] = { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: secret };
});

beforeEach(async () => {
  receiver.respond = respondWith(204);
  receiver.arrivals.splice(0);
  await withClient(service.databaseUrl, (client) =>
    client.query('delete from webhooks; delete from webhook_deliveries; delete from events'),
  );
});

afterAll(async () => {
  await jobs?.stop();
  await receiver?.close();
  await service?.stop();
});

/** Resolves when the number of deliveries have succeeded. */
async function untilTaken(count: number): Promise<void> {
  const succeeded = `select from webhook_deliveries where status = 'succeeded'`;
  await withClient(service.databaseUrl, async (client) => {
    await expect.poll(async () => (await client.query(succeeded)).rowCount).toBe(count);
  });
}

describe.each(['on the database', 'through a server'])('backoffice webhooks, %s', (way) => {
  const run = (...args: string[]): Promise<Finished> =>
    backoffice(['webhooks', ...args], { env: ways[way] ?? {} });
  const document = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  const cause = (title: string) => backoffice(['issues', 'create', title], { env: ways[way] ?? {} });

  async function create(...args: string[]): Promise<string> {
    return String((await document('create', receiver.url, ...args)).webhook.id);
  }

  test('creates a webhook, prints only its secret on standard output, and lists it without', async () => {
    const made = await run('create', receiver.url, '--events', 'issue.created', '--description', 'A chat');
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^whsec_\S{44}\n$/),
      stderr: expect.stringMatching(/^Created webhook \d+\. Its secret, shown only once:\n$/),
    });
    const list = await run('list');
    expect(list.stdout).toContain(`${receiver.url}\tactive\tissue.created\tA chat\t`);
    expect(list.stdout).not.toContain('whsec_');
  });

  test('prints what --jq and --template make of the answer of a change', async () => {
    const { stdout: id } = await run('create', receiver.url, '--jq', '.webhook.id');
    expect(id).toMatch(/^\d+\n$/);
    const update = ['update', id.trim(), '--description', 'A chat', '--template', 'Done: {{success}}'];
    expect(await run(...update)).toEqual({ code: 0, stdout: 'Done: true\n', stderr: '' });
    const replay = await run('replay', id.trim(), '--since', '2d', '--jq', '.replayed');
    expect(replay).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
  });

  test('reports an unknown event type, and lists the known ones', async () => {
    expect(await run('create', receiver.url, '--events', 'issue.created,foo')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^backoffice: Unknown event type: "foo"\. Available: issue\.created, .*\.\n$/,
      ),
    });
  });

  test('tests a webhook, and reports the response', async () => {
    const id = await create('--events', 'issue.created');
    expect(await run('test', id)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Delivered message test_\S+: 204 in \d+ ms\.\n$/),
      stderr: '',
    });
    receiver.respond = respondWith(302);
    expect(await run('test', id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'backoffice: The receiver answered 302. Redirects are not followed.\n',
    });
    expect((await document('test', id)).delivery).toMatchObject({ status: 'failed', response_status: 302 });
  });

  test('lists deliveries, and sends them again', async () => {
    const id = await create('--events', 'issue.created');
    for (const title of ['one', 'two']) await cause(title);
    await receiver.until(2);
    await untilTaken(2);
    const log = await run('deliveries');
    expect(log.stdout).toMatch(/\tevt_\d+\tissue\.created\tsucceeded\t1\t204\t\d{4}-\S+Z\t/);
    const { deliveries } = await document('deliveries', id, '--search', '"two"');
    expect(deliveries).toHaveLength(1);

    const again = await run('replay', '--delivery', String(deliveries[0].id));
    expect(again).toMatchObject({ code: 0, stdout: 'Queued 1 message for delivery.\n' });
    await receiver.until(3);
    expect(receiver.arrivals[2]?.id).toBe(deliveries[0].message_id);
    await untilTaken(3);
    expect((await run('replay', id, '--since', '1h')).stdout).toBe('Queued 2 messages for delivery.\n');
    await receiver.until(5);
    // Records that are still written would conflict with the clean-up before the next test.
    await untilTaken(5);
  });

  test('changes a webhook, and rotates its secret', async () => {
    const id = await create('--events', 'issue.created');
    const changed = await run('update', id, '--events', 'all', '--description', 'Everything', '--deactivate');
    expect(changed).toMatchObject({ code: 0, stdout: `Changed webhook ${id}.\n` });
    const { webhooks } = await document('list');
    expect(webhooks).toMatchObject([{ events: [], description: 'Everything', is_active: 0 }]);
    expect((await run('update', id, '--rotate-secret')).stdout).toMatch(/^whsec_\S{44}\n$/);
    expect(await run('replay', id, '--since', '1h')).toMatchObject({
      code: 1,
      stderr: 'backoffice: The webhook is inactive. Activate it first.\n',
    });
  });

  test('deletes a webhook only after a confirmation', async () => {
    const id = await create();
    expect(await run('delete', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await run('delete', id, '--yes')).toMatchObject({ code: 0, stdout: `Deleted webhook ${id}.\n` });
    expect(await run('list')).toMatchObject({ stdout: '', stderr: 'No webhooks.\n' });
  });
});

test('says whether an empty list is filtered', async () => {
  const env = ways['on the database'] ?? {};
  expect(await backoffice(['webhooks', 'deliveries'], { env })).toMatchObject({
    stderr: 'No deliveries.\n',
  });
  expect(await backoffice(['webhooks', 'deliveries', '--status', 'failed'], { env })).toMatchObject({
    stderr: 'No deliveries match.\n',
  });
});

test('refuses a private address unless they are allowed', async () => {
  const args = ['webhooks', 'create', 'http://127.0.0.1:1/'];
  expect(await backoffice(args, { env: { DATABASE_URL: service.databaseUrl } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('url must point to a public address'),
  });
});

test.each([
  [['create', 'nonsense'], 2, 'url must be an http or https URL, such as https://example.com/hooks.'],
  [
    ['create', 'https://example.com', '--events', 'issue.exploded'],
    2,
    'Unknown event type: "issue.exploded". Available: issue.created,',
  ],
  [['update', '999', '--activate'], 3, 'No webhook 999. Run `backoffice webhooks list` to see all.'],
  [['update', '999', '--activate', '--deactivate'], 2, 'Use either --activate or --deactivate, not both.'],
  [['test', '999'], 3, 'No webhook 999. Run `backoffice webhooks list` to see all.'],
  [['delete', '999', '--yes'], 3, 'No webhook 999. Run `backoffice webhooks list` to see all.'],
  [['replay', '1'], 2, 'Use a webhook with --since, or only --delivery.'],
  [['replay', '1', '--since', '2d', '--delivery', '7'], 2, 'Use a webhook with --since, or only --delivery.'],
  [['deliveries', '--status', 'lost'], 2, 'pending, succeeded, failed'],
] as const)('ends webhooks %j with exit code %i and a message', async (args, code, text) => {
  expect(await backoffice(['webhooks', ...args], { env: ways['on the database'] ?? {} })).toMatchObject({
    code,
    stderr: expect.stringContaining(text),
  });
});
