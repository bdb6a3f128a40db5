import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Client } from '../../src/contract/client/client.ts';
import type { EventType } from '../../src/contract/event-types.ts';
import type { OutputOf } from '../../src/contract/registry.ts';
import { type RunningJobs, startJobs } from '../../src/jobs/start.ts';
import type { Services } from '../../src/services/context.ts';
import { type Backoffice, backofficeHere, type TestLimits, type TestService, withMembers } from './here.ts';
import { listenOnLoopback } from './receivers/listen.ts';
import { type MailServer, startMailServer } from './receivers/mail.ts';

export interface Arrival {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string | undefined;
}

export type Respond = (response: ServerResponse, arrival: Arrival) => void;

/** A receiver of webhooks that keeps the messages it gets. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly arrivals: Arrival[];
  /** How it answers from now on. The default is 204. */
  respond: Respond;
  /** Resolves when that many messages have arrived. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Returns an answer with that status. */
export const respondWith =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end();

/** Starts a receiver on a free port. */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const { headers, url } = request;
    const body = await text(request).catch(() => undefined);
    // An aborted message has not arrived.
    if (body === undefined) return;
    const arrival = { id: String(headers['webhook-id']), headers, body, url };
    arrivals.push(arrival);
    receiver.respond(response, arrival);
  });
  const port = await listenOnLoopback(server, host);
  const receiver: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks`,
    port,
    arrivals,
    respond: respondWith(204),
    async until(count) {
      await expect.poll(() => arrivals.length, { interval: 5 }).toBeGreaterThanOrEqual(count);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Starts the jobs of a service without logging. */
export function startJobsOf(
  service: Pick<TestService, 'databaseUrl' | 'services'>,
  other: Partial<Services> = {},
): RunningJobs {
  const log = pino({ level: 'silent' });
  return startJobs({ services: { ...service.services, ...other }, databaseUrl: service.databaseUrl, log });
}

/** Runs the jobs of a service of this file, from before its tests until after them. */
export function runJobsOf(
  backoffice: { readonly service: TestService },
  other: Partial<Services> = {},
): void {
  let jobs: RunningJobs | undefined;
  beforeAll(() => {
    jobs = startJobsOf(backoffice.service, other);
  });
  afterAll(() => jobs?.stop());
}

type WebhookRow = OutputOf<'webhooks.list'>['webhooks'][number];
export type Delivery = OutputOf<'webhooks.deliveries'>['deliveries'][number];

/** A service that runs its jobs and may send to the loopback, with a receiver for each test. */
export interface Webhooks extends Backoffice {
  readonly receiver: Receiver;
  /** Calls an operation as the superadmin. */
  readonly call: Client['call'];
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
export function webhooksHere(other: Partial<Services> = {}): Webhooks {
  const backoffice = backofficeHere({ BACKOFFICE_WEBHOOK_ALLOW_PRIVATE: '1' });
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
    call,
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

/** The public URL of the service in these tests. */
export const publicUrl = 'https://backoffice.example.com';

/** A service that runs its jobs, and the server that receives its mails. */
export interface MailingBackoffice extends Backoffice {
  readonly mailServer: MailServer;
}

/** Starts both before the tests of the calling file. */
export function mailHere(env: Record<string, string> = {}, limits?: TestLimits): MailingBackoffice {
  let mailServer: MailServer;

  beforeAll(async () => {
    mailServer = await startMailServer();
  });
  afterAll(() => mailServer?.close());
  const backoffice = backofficeHere(
    () => ({ SMTP_URL: mailServer.url, BACKOFFICE_PUBLIC_URL: publicUrl, ...env }),
    limits,
  );
  runJobsOf(backoffice);

  return withMembers(backoffice, {
    get mailServer() {
      return mailServer;
    },
  });
}
