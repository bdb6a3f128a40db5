import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const { run, succeeds, fails } = here;
const document = (words: string) => here.printed(`${words} --json`);
const create = async () => {
  const made = await document(`webhooks create ${receiver.url} --events issue.created`);
  return String(made.webhook.id);
};

test('creates a webhook, prints only its secret on standard output, and lists it without', async () => {
  await succeeds(
    `webhooks create ${receiver.url} --events issue.created --description "A chat"`,
    /^whsec_\S{44}\n$/,
    /^Created webhook \d+\. Its secret, shown only once:\n$/,
  );
  const line = containing(`${receiver.url}\tactive\tissue.created\tA chat\t`);
  const list = await succeeds('webhooks list', line);
  expect(list.stdout).not.toContain('whsec_');
});

test('prints what --jq makes of the answer of a change', async () => {
  const { stdout: id } = await succeeds(`webhooks create ${receiver.url} --jq .webhook.id`, /^\d+\n$/);
  await succeeds(`webhooks update ${id.trim()} --activate --jq .success`, 'true', '');
  await succeeds(`webhooks replay ${id.trim()} --since 2d --jq .replayed`, /^\d+\n$/);
});

// This process sends it if it works on the database.
test.each(ways)('tests a webhook, and reports the response, %s', async (way) => {
  const { succeeds, fails } = checksOf(runIn(() => here.env(way)));
  const test = `webhooks test ${await create()}`;
  await succeeds(test, /^Delivered message test_\S+: 204 in \d+ ms\.\n$/, '');
  receiver.respond = respondWith(302);
  await fails(1, test, 'The receiver answered 302. Redirects are not followed.');
  const { delivery } = await document(test);
  expect(delivery).toMatchObject({ status: 'failed', response_status: 302 });
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

test('changes a webhook, rotates its secret, and deletes it after a confirmation', async () => {
  const id = await create();
  const changes = '--events all --description Everything --deactivate';
  await succeeds(`webhooks update ${id} ${changes}`, `Changed webhook ${id}.`);
  const { webhooks } = await document('webhooks list');
  expect(webhooks).toMatchObject([{ events: [], description: 'Everything', is_active: 0 }]);
  await succeeds(`webhooks update ${id} --rotate-secret`, /^whsec_\S{44}\n$/);
  await fails(1, `webhooks replay ${id} --since 1h`, 'The webhook is inactive. Activate it first.');
  await fails(2, `webhooks delete ${id}`, containing('--yes'));
  await succeeds(`webhooks delete ${id} --yes`, `Deleted webhook ${id}.`);
  await succeeds('webhooks list', '', 'No webhooks.');
});

test('refuses a private address unless they are allowed', async () => {
  const { fails } = checksOf(runIn(() => ({ DATABASE_URL: here.service.databaseUrl })));
  await fails(2, 'webhooks create http://127.0.0.1:1/', containing('url must point to a public address'));
});

const unknown = 'No webhook 999. Run `backoffice webhooks list` to see all.';
const one = 'Use a webhook with --since, or only --delivery.';
const exploded = 'Unknown event type: "issue.exploded". Available: issue.created,';
test.each([
  ['create https://example.com --events issue.created,issue.exploded', 2, exploded],
  ['update 999 --activate', 3, unknown],
  ['update 999 --activate --deactivate', 2, "option '--activate' cannot be used with option '--deactivate'"],
  ['test 999', 3, unknown],
  ['delete 999 --yes', 3, unknown],
  ['replay 1 --since 2d --delivery 7', 2, one],
])('ends webhooks %s with exit code %i and a message', async (words, code, text) => {
  await fails(code, `webhooks ${words}`, containing(text));
});
