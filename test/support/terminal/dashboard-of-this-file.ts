import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Access } from '../../../cli/access/access.ts';
import { localAccess } from '../../../cli/access/local.ts';
import type { Client } from '../../../src/contract/client/client.ts';
import { type SeedOptions, seed } from '../../../src/services/seed/index.ts';
import { smallSeed } from '../database/seeded-database.ts';
import { startTestService, type TestService } from '../http/service.ts';
import { type Dashboard, type DashboardOptions, openDashboard } from './dashboard.tsx';

export interface DashboardTests {
  readonly service: TestService;
  /** Signed in as an admin. */
  readonly client: Client;
  /** Direct access to the service, as the dashboard has it. */
  readonly access: Access;
  /** Opens a dashboard, which is closed after the test. */
  open(options?: DashboardOptions): Dashboard;
  openWith(access: Pick<Access, 'call'>, options?: DashboardOptions): Dashboard;
  /** Opens a dashboard in which the answers of an operation wait until the test releases them, in any order. */
  openHolding(operation: string): { readonly dashboard: Dashboard; readonly held: (() => Promise<void>)[] };
}

/**
 * Starts a service before the tests of the calling file, and stops it and closes their dashboards after them.
 *
 * @param example - how much example data the service has; none by default
 */
export function dashboardOfThisFile(example?: Partial<SeedOptions>): DashboardTests {
  const opened: Dashboard[] = [];
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    service = await startTestService();
    if (example !== undefined) await seed(service.databaseUrl, { ...smallSeed, ...example });
    ({ client } = await service.signIn('superadmin', 'grace@example.com'));
  });
  afterEach(() => {
    for (const dashboard of opened.splice(0)) dashboard.close();
  });
  afterAll(() => service.stop());

  const tests: DashboardTests = {
    get service() {
      return service;
    },
    get client() {
      return client;
    },
    get access() {
      return localAccess(service.services, 'tui');
    },
    open: (options) => tests.openWith(tests.access, options),
    openWith(access, options) {
      const dashboard = openDashboard(access, options);
      opened.push(dashboard);
      return dashboard;
    },
    openHolding(operation) {
      const { access } = tests;
      const held: (() => Promise<void>)[] = [];
      const dashboard = tests.openWith({
        async call(id, input) {
          const answer = await access.call(id, input);
          if (id === operation) {
            const { promise, resolve } = Promise.withResolvers<void>();
            held.push(() => {
              resolve();
              return setImmediate();
            });
            await promise;
          }
          return answer;
        },
      });
      return { dashboard, held };
    },
  };
  return tests;
}
