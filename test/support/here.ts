import type { Client as Connection, QueryResultRow } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { type Client, createClient } from '../../src/contract/client/client.ts';
import { operationOf } from '../../src/contract/registry.ts';
import type { Role } from '../../src/contract/vocabulary.ts';
import { openMetrics } from '../../src/http/metrics/open-metrics.ts';
import { readinessOf } from '../../src/http/readiness.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { localOperator } from '../../src/services/call/actor.ts';
import { changesOf } from '../../src/services/call/changes.ts';
import { noDeadline } from '../../src/services/context.ts';
import type { EventLimits } from '../../src/services/events/hub.ts';
import { type ClassName, classes, type LimitOverrides } from '../../src/services/load/classes.ts';
import { openServices } from '../../src/services/open.ts';
import { adminHandlers } from '../../src/services/operations/admins.ts';
import type { PasswordHasher } from '../../src/services/sign-in/password-hasher.ts';
import { runPasswordTask } from '../../src/services/sign-in/password-worker.ts';
import { apiAs, ask, at, json } from './here/requests.ts';
import { createApiToken } from './here/tokens.ts';
import { publishingClient } from './postgres/server.ts';
import { asRuntime, createTestDatabase, type TestDatabase } from './postgres.ts';
import { testEncryptionKey } from './run/process.ts';

/** The password of every admin that the tests create. */
export const password = 'correct horse';

/** The lowest cost of bcrypt. A hash takes 2 ms, not 140. */
const quickCost = 4;

/** The hash of `password` at that cost, because most tests start with a sign-in. */
const quickHash = '$bcrypt-sha256$v=3,t=2b,r=4$n.g3rfxNP8yTvA.F2AZ2gu$yHZkwayilSWgy8Z31L1lHO11xnohfr.';

/** An admin with a session. `cookie` is the `Cookie` header of it. */
export type SignedIn = Awaited<ReturnType<TestService['signIn']>>;

export type TestService = Awaited<ReturnType<typeof startTestService>>;

let admins = 0;

/** Limits of the service that a test changes. */
export interface TestLimits {
  readonly eventLimits?: Partial<EventLimits>;
  readonly limits?: LimitOverrides;
  readonly lockTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** The cost of password hashes, where their time is what a test is about. By default, the lowest. */
  readonly passwordCost?: number;
  /** Whether requests wait for an account. Most tests make the accounts that they need, and some none. */
  readonly needsAccount?: boolean;
}

/** Time limits that only a hanging service reaches, because a busy machine may exceed those of the product. */
const longLimits = {
  requestTimeoutMs: 50_000,
  databaseTimeouts: { connectionMs: 30_000, statementMs: 40_000, lockMs: 40_000 },
  waitMs: 30_000,
};

/** The limits of each class, with long waits. */
function withLongWaits(limits: LimitOverrides): LimitOverrides {
  const names = Object.keys(classes) as ClassName[];
  return Object.fromEntries(names.map((name) => [name, { waitMs: longLimits.waitMs, ...limits[name] }]));
}

/**
 * Starts the service in this process, on a free port and with its own database.
 *
 * @param env - the environment; with the `DATABASE_URL` of another service, this is a second instance of it
 */
export async function startTestService(
  env: Record<string, string> = {},
  {
    eventLimits,
    limits = {},
    lockTimeoutMs: lockMs = longLimits.databaseTimeouts.lockMs,
    requestTimeoutMs,
    passwordCost = quickCost,
    needsAccount = false,
  }: TestLimits = {},
) {
  const database: TestDatabase =
    env.DATABASE_URL === undefined
      ? await createTestDatabase()
      : { url: env.DATABASE_URL, drop: async () => undefined };
  const runtimeUrl = asRuntime(database.url);
  const config: Config = {
    ...readConfig({ BACKOFFICE_ENCRYPTION_KEY: testEncryptionKey, ...env, DATABASE_URL: runtimeUrl }),
    port: 0,
  };
  const logger = pino({ level: 'silent' });
  const metrics = config.metrics && (await openMetrics());
  const opened = openServices({
    observer: metrics?.observer,
    ...config,
    databaseUrl: runtimeUrl,
    log: logger,
    databaseTimeouts: { ...longLimits.databaseTimeouts, lockMs },
    eventLimits,
    limits: withLongWaits(limits),
    passwordCost,
  });
  // A thread takes forty times as long to start. A wrong password is verified as in the product.
  const verify: PasswordHasher['verify'] = async (given, hash, leastCost) =>
    hash === quickHash && given === password
      ? runPasswordTask({ password: given, hash, cost: quickCost }) === true
      : await opened.passwords.verify(given, hash, leastCost);
  const services = { ...opened, passwords: { ...opened.passwords, verify } };
  services.publisher.startPolling();
  const scrapes = config.metrics && (await metrics?.serve(services, config.metrics));
  const server = await startHttpServer({
    config,
    services,
    sessionSecrets: config.sessionSecrets ?? ['a secret of the tests, and only theirs'],
    logger,
    requestObserver: metrics?.requests,
    requestTimeoutMs: requestTimeoutMs ?? longLimits.requestTimeoutMs,
    ...(needsAccount ? {} : { readiness: readinessOf(services.databases.primary, true) }),
  }).catch(async (error: unknown) => {
    // With a configuration that it refuses, for example.
    await services.close();
    throw error;
  });

  return {
    url: server.url,
    /** The URL of the superuser. The service itself uses the runtime role. */
    databaseUrl: database.url,
    services,
    /** Where the metrics are, if `METRICS_PORT` is set. */
    metricsUrl: scrapes?.url,
    /** Fetches a path of the service, which starts with a slash. */
    fetch: (path: string, init?: RequestInit) => fetch(server.url + path, init),
    /** Creates an admin with that role and a password that is fast to verify, and signs in over HTTP. */
    async signIn(role: Role, email = `${role}-${++admins}@example.com`) {
      const db = services.databases.primary;
      const actor = localOperator('tests');
      const passwords = { ...services.passwords, hash: async () => quickHash };
      const change = changesOf(db, actor, operationOf('admins.create'));
      const context = { ...services, actor, passwords, change, signal: noDeadline, log: logger };
      const input = { email, password, username: undefined, role };
      const { admin } = await adminHandlers['admins.create'](context, input);
      const cookie = await openSession(server.url, email);
      return { id: admin.id, email, cookie, client: clientWith(server.url, cookie) };
    },
    /** Creates an API token that does not expire. */
    createToken: (role: Role) => createApiToken(services.databases.primary, { role }),
    async stop(options?: { readonly drainMs?: number }) {
      await server.stop(options);
      await scrapes?.close();
      await services.close();
      await database.drop();
    },
  };
}

/** Signs in and returns the `Cookie` header of the session. */
export async function openSession(url: string, email: string, secret = password): Promise<string> {
  const { status, cookie } = await ask(at(url), '/api/admin/session', {
    method: 'POST',
    headers: json,
    body: { email, password: secret },
  });
  if (status >= 400 || cookie === undefined) throw new Error(`Sign-in answered ${status}.`);
  return cookie;
}

/** Returns the typed client with a session. */
export function clientWith(baseUrl: string, cookie: string): Client {
  return createClient({
    baseUrl,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie } }),
  });
}

/** The service of one test file, with a superadmin's session and its database. */
export type Backoffice = ReturnType<typeof backofficeHere>;

/**
 * Starts the service before the tests of the calling file and stops it after them.
 *
 * @param env - its environment, or a function that returns it when the service starts
 */
export function backofficeHere(
  env: Record<string, string> | (() => Record<string, string>) = {},
  limits?: TestLimits,
) {
  let service: TestService;
  let superadmin: SignedIn;
  let connected: Promise<Connection> | undefined;

  beforeAll(async () => {
    service = await startTestService(typeof env === 'function' ? env() : env, limits);
    superadmin = await service.signIn('superadmin');
  });

  afterAll(async () => {
    await (await connected)?.end();
    await service?.stop();
  });

  async function connect(): Promise<Connection> {
    const client = publishingClient(service.databaseUrl);
    await client.connect();
    return client;
  }

  return {
    get service() {
      return service;
    },
    get superadmin() {
      return superadmin;
    },
    /** Sends requests as the superadmin. */
    get api() {
      return apiAs(service.url, superadmin);
    },
    /** Queries the database directly, for example to make rows that no request can make. */
    async sql<Row extends QueryResultRow>(text: string, values?: unknown[]) {
      connected ??= connect();
      const client = await connected;
      return (await client.query<Row>(text, values)).rows;
    },
  };
}

/** Starts another instance of a service before the tests of the calling file or group, and stops it after them. */
export function instanceHere(of: Pick<Backoffice, 'service'>, ...[env, limits]: InstanceOptions) {
  let instance: TestService | undefined;
  beforeAll(async () => {
    instance = await startTestService({ DATABASE_URL: of.service.databaseUrl, ...env }, limits);
  });
  afterAll(() => instance?.stop());
  return new Proxy({} as TestService, { get: (_, name) => Reflect.get(instance ?? {}, name) });
}

/** Starts another instance of a service until the end of the test. */
export async function startInstance(of: Pick<Backoffice, 'service'>, ...[env, limits]: InstanceOptions) {
  const instance = await startTestService({ DATABASE_URL: of.service.databaseUrl, ...env }, limits);
  let stopped: Promise<void> | undefined;
  const stop: TestService['stop'] = (options) => (stopped ??= instance.stop(options));
  onTestFinished(() => stop());
  return { ...instance, stop };
}

type InstanceOptions = [env?: Record<string, string>, limits?: TestLimits];

/** Returns a backoffice with more members. All of it is read when it is used: it exists only while tests run. */
export function withMembers<Members extends object>(
  backoffice: Backoffice,
  members: Members,
): Backoffice & Members {
  return Object.create(backoffice, Object.getOwnPropertyDescriptors(members));
}
