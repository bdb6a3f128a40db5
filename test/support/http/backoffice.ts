import type { Client, QueryResultRow } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { publishingClient } from '../database/publishing-client.ts';
import { type Api, apiAs } from './requests.ts';
import { type SignedIn, startTestService, type TestLimits, type TestService } from './service.ts';

/** The service of one test file, with a superadmin's session and its database. */
export interface Backoffice {
  readonly service: TestService;
  readonly superadmin: SignedIn;
  /** Sends requests as the superadmin. */
  readonly api: Api;
  /** Queries the database directly, for example to make rows that no request can make. */
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Starts the service before the tests of the calling file and stops it after them.
 *
 * @param env - its environment, or a function that returns it when the service starts
 */
export function backofficeOfThisFile(
  env: Record<string, string> | (() => Record<string, string>) = {},
  limits?: TestLimits,
): Backoffice {
  let service: TestService;
  let superadmin: SignedIn;
  let client: Client;

  beforeAll(async () => {
    service = await startTestService(typeof env === 'function' ? env() : env, limits);
    superadmin = await service.signIn('superadmin');
    client = publishingClient(service.databaseUrl);
    await client.connect();
  });

  afterAll(async () => {
    await client?.end();
    await service?.stop();
  });

  return {
    get service() {
      return service;
    },
    get superadmin() {
      return superadmin;
    },
    get api() {
      return apiAs(service.url, superadmin);
    },
    sql: async (text, values) => (await client.query(text, values)).rows,
  };
}

/** Returns a backoffice with more members. All of it is read when it is used: it exists only while tests run. */
export function withMembers<Members extends object>(
  backoffice: Backoffice,
  members: Members,
): Backoffice & Members {
  return Object.create(backoffice, Object.getOwnPropertyDescriptors(members));
}
