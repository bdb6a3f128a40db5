import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunningJobs } from '../../../src/jobs/start.ts';
import { type Receiver, respondWith, startJobsOf, startReceiver } from '../../support/receivers.ts';
import { checksOf, commandsHere, containing, runIn, ways } from '../commands-here.ts';

const here = commandsHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
let jobs: RunningJobs;
let receiver: Receiver;

beforeAll(async () => {
  jobs = startJobsOf(here.service);
  receiver = await startReceiver();
});

beforeEach(async () => {
  receiver.respond = respondWith(204);
  receiver.arrivals.splice(0);
  await here.sql('delete from webhooks; delete from webhook_deliveries; delete from events');
});

afterAll(async () => {
  await jobs?.stop();
  await receiver?.close();
});

/** Resolves when the number of deliveries have succeeded. */
const untilTaken = (count: number) =>
  expect
    .poll(() => here.sql(`select from webhook_deliveries where status = 'succeeded'`))
    .toHaveLength(count);

describe.each(ways)('backoffice webhooks, %s', (way) => {
  const run = runIn(() => here.env(way));
  const { succeeds, fails } = checksOf(run);
  const document = async (words: string) => JSON.parse((await run(`${words} --json`)).stdout);
  const create = async () => {
    const made = await document(`webhooks create ${receiver.url} --events issue.created`);
    return String(made.webhook.id);
  };

  test('creates a webhook, prints only its secret on standard output, and lists it without', async () => {
    const made = await run(`webhooks create ${receiver.url} --events issue.created --description`, 'A chat');
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^whsec_\S{44}\n$/),
      stderr: expect.stringMatching(/^Created webhook \d+\. Its secret, shown only once:\n$/),
    });
    const list = await succeeds(
      'webhooks list',
      containing(`${receiver.url}\tactive\tissue.created\tA chat\t`),
    );
    expect(list.stdout).not.toContain('whsec_');
  });

  test('prints what --jq and --template make of the answer of a change', async () => {
    const { stdout: id } = await run(`webhooks create ${receiver.url} --jq .webhook.id`);
    expect(id).toMatch(/^\d+\n$/);
    const update = await run(`webhooks update ${id.trim()} --activate --template`, 'Done: {{success}}');
    expect(update).toEqual({ code: 0, stdout: 'Done: true\n', stderr: '' });
    const replay = await run(`webhooks replay ${id.trim()} --since 2d --jq .replayed`);
    expect(replay).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) });
  });

  test('tests a webhook, and reports the response', async () => {
    const id = await create();
    await succeeds(`webhooks test ${id}`, /^Delivered message test_\S+: 204 in \d+ ms\.\n$/, '');
    receiver.respond = respondWith(302);
    expect(await run(`webhooks test ${id}`)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'backoffice: The receiver answered 302. Redirects are not followed.\n',
    });
    expect((await document(`webhooks test ${id}`)).delivery).toMatchObject({
      status: 'failed',
      response_status: 302,
    });
  });

  test('lists deliveries, and sends them again', async () => {
    const id = await create();
    for (const title of ['one', 'two']) await run(`issues create ${title}`);
    await receiver.until(2);
    await untilTaken(2);
    await succeeds('webhooks deliveries', /\tevt_\d+\tissue\.created\tsucceeded\t1\t204\t\d{4}-\S+Z\t/);
    const { deliveries } = await document(`webhooks deliveries ${id} --search "two"`);
    expect(deliveries).toHaveLength(1);

    await succeeds(`webhooks replay --delivery ${deliveries[0].id}`, 'Queued 1 message for delivery.');
    await receiver.until(3);
    expect(receiver.arrivals[2]?.id).toBe(deliveries[0].message_id);
    await untilTaken(3);
    await succeeds(`webhooks replay ${id} --since 1h`, 'Queued 2 messages for delivery.');
    await receiver.until(5);
    // Records that are still written would conflict with the clean-up before the next test.
    await untilTaken(5);
  });

  test('changes a webhook, and rotates its secret', async () => {
    const id = await create();
    await succeeds(
      `webhooks update ${id} --events all --description Everything --deactivate`,
      `Changed webhook ${id}.`,
    );
    const { webhooks } = await document('webhooks list');
    expect(webhooks).toMatchObject([{ events: [], description: 'Everything', is_active: 0 }]);
    await succeeds(`webhooks update ${id} --rotate-secret`, /^whsec_\S{44}\n$/);
    await fails(1, `webhooks replay ${id} --since 1h`, 'The webhook is inactive. Activate it first.');
  });

  test('deletes a webhook only after a confirmation', async () => {
    const id = await create();
    await fails(2, `webhooks delete ${id}`, containing('--yes'));
    await succeeds(`webhooks delete ${id} --yes`, `Deleted webhook ${id}.`);
    expect(await run('webhooks list')).toMatchObject({ stdout: '', stderr: 'No webhooks.\n' });
  });
});

test('says whether an empty list is filtered', async () => {
  expect((await here.run('webhooks deliveries')).stderr).toBe('No deliveries.\n');
  expect((await here.run('webhooks deliveries --status failed')).stderr).toBe('No deliveries match.\n');
});

test('refuses a private address unless they are allowed', async () => {
  const { fails } = checksOf(runIn(() => ({ DATABASE_URL: here.service.databaseUrl })));
  await fails(2, 'webhooks create http://127.0.0.1:1/', containing('url must point to a public address'));
});

const unknown = 'No webhook 999. Run `backoffice webhooks list` to see all.';
test.each([
  ['create nonsense', 2, 'url must be an http or https URL, such as https://example.com/hooks.'],
  [
    'create https://example.com --events issue.created,issue.exploded',
    2,
    'Unknown event type: "issue.exploded". Available: issue.created,',
  ],
  ['update 999 --activate', 3, unknown],
  ['update 999 --activate --deactivate', 2, 'Use either --activate or --deactivate, not both.'],
  ['test 999', 3, unknown],
  ['delete 999 --yes', 3, unknown],
  ['replay 1', 2, 'Use a webhook with --since, or only --delivery.'],
  ['replay 1 --since 2d --delivery 7', 2, 'Use a webhook with --since, or only --delivery.'],
  ['deliveries --status lost', 2, 'pending, succeeded, failed'],
])('ends webhooks %s with exit code %i and a message', async (words, code, text) => {
  const stderr = expect.stringContaining(text);
  expect(await here.run(`webhooks ${words}`)).toMatchObject({ code, stdout: '', stderr });
});
