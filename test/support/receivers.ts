import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { Client } from '../../src/contract/client/client.ts';
import type { EventType } from '../../src/contract/event-types.ts';
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

type Respond = (response: ServerResponse, arrival: Arrival) => void;

/** A receiver of webhooks that keeps the messages it gets. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Returns an answer with that status. */
export const respondWith =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end();

/** Starts a receiver on a free port. */
export async function startReceiver(host = '127.0.0.1') {
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
  const receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks`,
    port,
    arrivals,
    /** How it answers from now on. The default is 204. */
    respond: respondWith(204),
    /** Resolves when that many messages have arrived. */
    async until(count: number) {
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
export function runJobsOf(backoffice: Pick<Backoffice, 'service'>, other: Partial<Services> = {}): void {
  let jobs: RunningJobs | undefined;
  beforeAll(() => {
    jobs = startJobsOf(backoffice.service, other);
  });
  afterAll(() => jobs?.stop());
}

/**
 * Starts a service that runs its jobs and may send to the loopback before the tests of the calling file. Each test starts
 * without webhooks, and with a receiver of its own.
 */
export function webhooksHere(other: Partial<Services> = {}) {
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
  const deliveries = async (filter: { webhook_id?: number } = {}) =>
    (await call('webhooks.deliveries', filter)).deliveries.toReversed();

  return withMembers(backoffice, {
    get receiver() {
      return receiver;
    },
    /** Calls an operation as the superadmin. */
    call,
    /** Creates a webhook. By default it sends new issues to the receiver. */
    async create(input: { url?: string; events?: EventType[]; include_content?: boolean } = {}) {
      const { webhook, secret } = await call('webhooks.create', {
        url: receiver.url,
        events: ['issue.created'],
        ...input,
      });
      return { id: webhook.id, secret };
    },
    /** Returns a webhook as the list shows it. */
    find: async (id: number) => (await call('webhooks.list')).webhooks.find((webhook) => webhook.id === id),
    /** Causes an event. Resolves with the id of its message. */
    async cause(title = 'Something happened') {
      const { id } = await call('issues.create', { title });
      const [event] = await backoffice.sql(
        `select id from events where type = 'issue.created' and subject_id = $1`,
        [String(id)],
      );
      return `evt_${event?.id}`;
    },
    /** Returns the delivery log, oldest first. */
    deliveries,
    /** Resolves with the log when its deliveries match. */
    async untilDeliveries(expected: readonly object[]) {
      // Returns the log that matched, because it may change a moment later.
      let log: Awaited<ReturnType<typeof deliveries>> = [];
      const readLog = async () => {
        log = await deliveries();
        return log;
      };
      await expect
        .poll(readLog, { interval: 10 })
        .toMatchObject(expected.map((each) => expect.objectContaining(each)));
      return log;
    },
    /** Makes the next attempts of all pending deliveries due now. */
    async makeDue() {
      await backoffice.sql(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
      await backoffice.sql(`select wake_webhooks(array_agg(id)) from webhooks`);
    },
  });
}

/** The public URL of the service in these tests. */
export const publicUrl = 'https://backoffice.example.com';

/** Starts a service that runs its jobs, and the server that receives its mails, before the tests of the calling file. */
export function mailHere(env: Record<string, string> = {}, limits?: TestLimits) {
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
