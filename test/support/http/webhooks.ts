import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { EventType } from '../../../src/contract/vocabulary.ts';
import { type RunningJobs, startJobs } from '../../../src/jobs/start.ts';
import type { Services } from '../../../src/services/call/context.ts';
import { type Backoffice, backofficeOfThisFile } from './backoffice.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { TestService } from './service.ts';

export type Delivery = OutputOf<'webhooks.deliveries'>['deliveries'][number];

/** A service that works on its jobs and may send to the loopback, and for each test a receiver. */
export interface Webhooks extends Backoffice {
  readonly receiver: Receiver;
  /** Makes a webhook; it leads to the receiver and is told of new issues, unless the input says otherwise. */
  create(input?: { url?: string; events?: EventType[] }): Promise<{ id: number; secret: string }>;
  /** Causes an event. Resolves with the id of its message. */
  cause(title?: string): Promise<string>;
  /** The log, the oldest first. */
  deliveries(filter?: { webhook_id?: number }): Promise<Delivery[]>;
  /** Resolves with the log as soon as each delivery in it is what is expected. */
  untilDeliveries(expected: readonly object[]): Promise<Delivery[]>;
  /** Lets the time for the next attempts come now. */
  hurry(): Promise<void>;
}

/** The jobs of a service, quietly. */
export function jobsOf(
  service: Pick<TestService, 'databaseUrl' | 'services'>,
  other: Partial<Services> = {},
) {
  const log = pino({ level: 'silent' });
  return startJobs({ services: { ...service.services, ...other }, databaseUrl: service.databaseUrl, log });
}

/** Starts all of it before the tests of the calling file; each test begins without webhooks. */
export function webhooksOfThisFile(other: Partial<Services> = {}): Webhooks {
  const backoffice = backofficeOfThisFile({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
  let jobs: RunningJobs;
  let receiver: Receiver;

  beforeAll(() => {
    jobs = jobsOf(backoffice.service, other);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    await backoffice.sql('delete from webhooks');
    await backoffice.sql('delete from webhook_deliveries');
    await backoffice.sql('delete from events');
  });
  afterEach(() => receiver.close());
  afterAll(() => jobs?.stop());

  const call: Client['call'] = (id, input) => backoffice.superadmin.client.call(id, input);
  const deliveries: Webhooks['deliveries'] = async (filter = {}) =>
    (await call('webhooks.deliveries', filter)).deliveries.toReversed();

  return {
    get service() {
      return backoffice.service;
    },
    get superadmin() {
      return backoffice.superadmin;
    },
    get ask() {
      return backoffice.ask;
    },
    sql: backoffice.sql,
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
      // What it was then: a moment later it may be something else.
      let log: Delivery[] = [];
      const look = async () => {
        log = await deliveries();
        return log;
      };
      await expect
        .poll(look, { interval: 10 })
        .toMatchObject(expected.map((each) => expect.objectContaining(each)));
      return log;
    },
    async hurry() {
      await backoffice.sql(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
      await backoffice.sql(`select wake_webhooks(array_agg(id)) from webhooks`);
    },
  };
}
