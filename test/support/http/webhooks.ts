import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { EventType } from '../../../src/contract/vocabulary.ts';
import type { Services } from '../../../src/services/context.ts';
import { type Receiver, startReceiver } from '../servers/webhook-receiver.ts';
import { type Backoffice, backofficeOfThisFile, withMembers } from './backoffice.ts';
import { runJobsOf } from './jobs.ts';

type WebhookRow = OutputOf<'webhooks.list'>['webhooks'][number];
export type Delivery = OutputOf<'webhooks.deliveries'>['deliveries'][number];

/** A service that runs its jobs and may send to the loopback, with a receiver for each test. */
export interface Webhooks extends Backoffice {
  readonly receiver: Receiver;
  /** Creates a webhook. By default it sends new issues to the receiver. */
  create(input?: { url?: string; events?: EventType[] }): Promise<{ id: number; secret: string }>;
  /** Returns a webhook as the list shows it. */
  find(id: number): Promise<WebhookRow | undefined>;
  /** Causes an event. Resolves with the id of its message. */
  cause(title?: string): Promise<string>;
  /** Returns the delivery log, oldest first. */
  deliveries(filter?: { webhook_id?: number }): Promise<Delivery[]>;
  /** Resolves with the log when its deliveries match. */
  untilDeliveries(expected: readonly object[]): Promise<Delivery[]>;
  /** Makes the next attempts of all pending deliveries due now. */
  makeDue(): Promise<void>;
}

/** Starts the service before the tests of the calling file. Each test starts without webhooks. */
export function webhooksOfThisFile(other: Partial<Services> = {}): Webhooks {
  const backoffice = backofficeOfThisFile({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
  let receiver: Receiver;

  runJobsOf(backoffice, other);
  beforeEach(async () => {
    receiver = await startReceiver();
    // A delivery of the test before, still under way, may lock the same rows in another order.
    for (const table of ['webhooks', 'webhook_deliveries', 'events'])
      await vi.waitFor(() => backoffice.sql(`delete from ${table}`), { timeout: 10_000 });
  });
  afterEach(() => receiver.close());

  const call: Client['call'] = (id, input) => backoffice.superadmin.client.call(id, input);
  const deliveries: Webhooks['deliveries'] = async (filter = {}) =>
    (await call('webhooks.deliveries', filter)).deliveries.toReversed();

  return withMembers<Omit<Webhooks, keyof Backoffice>>(backoffice, {
    get receiver() {
      return receiver;
    },
    async create(input = {}) {
      const { webhook, secret } = await call('webhooks.create', {
        url: receiver.url,
        events: ['issue.created'],
        ...input,
      });
      return { id: webhook.id, secret };
    },
    find: async (id) => (await call('webhooks.list')).webhooks.find((webhook) => webhook.id === id),
    async cause(title = 'Something happened') {
      const { id } = await call('issues.create', { title });
      const [event] = await backoffice.sql(
        `select id from events where type = 'issue.created' and subject_id = $1`,
        [String(id)],
      );
      return `evt_${event?.id}`;
    },
    deliveries,
    async untilDeliveries(expected) {
      // Returns the log that matched, because it may change a moment later.
      let log: Delivery[] = [];
      const readLog = async () => {
        log = await deliveries();
        return log;
      };
      await expect
        .poll(readLog, { interval: 10 })
        .toMatchObject(expected.map((each) => expect.objectContaining(each)));
      return log;
    },
    async makeDue() {
      await backoffice.sql(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
      await backoffice.sql(`select wake_webhooks(array_agg(id)) from webhooks`);
    },
  });
}
