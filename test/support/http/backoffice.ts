import { Client, type QueryResultRow } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Ask, askAs } from './ask.ts';
import { type SignedIn, startTestService, type TestService } from './service.ts';

/** The whole service for one test file, a superadmin's session in it, and its database. */
export interface Backoffice {
  readonly service: TestService;
  readonly superadmin: SignedIn;
  /** Asks as the superadmin. */
  readonly ask: Ask;
  /** Looks behind the service's back, or makes rows that no request can make. */
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/**
 * Starts the service before the tests of the calling file and stops it after them.
 *
 * @param env - its environment
 */
export function backofficeOfThisFile(env: Record<string, string> = {}): Backoffice {
  let service: TestService;
  let superadmin: SignedIn;
  let client: Client;

  beforeAll(async () => {
    service = await startTestService(env);
    superadmin = await service.signIn('superadmin');
    client = new Client({ connectionString: service.databaseUrl });
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
    get ask() {
      return askAs(service.url, superadmin);
    },
    sql: async (text, values) => (await client.query(text, values)).rows,
  };
}
