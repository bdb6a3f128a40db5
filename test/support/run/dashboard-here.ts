import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Access } from '../../../cli/access/access.ts';
import { localAccess } from '../../../cli/access/local.ts';
import { memoryPreferences } from '../../../cli/dashboard/app/preferences.ts';
import { type ViewStore, viewStore } from '../../../cli/dashboard/app/view-store.ts';
import type { Client } from '../../../src/contract/client/client.ts';
import { type SeedOptions, seed } from '../../../src/services/seed/index.ts';
import { startTestService, type TestService } from '../here.ts';
import { smallSeed } from '../postgres/seeded.ts';
import { type Dashboard, type DashboardOptions, openDashboard } from './dashboard.ts';

/**
 * Starts a service before the tests of the calling file, and stops it and closes their dashboards after them.
 *
 * @param example - how much example data the service has; none by default
 */
export function dashboardHere(example?: Partial<SeedOptions>) {
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

  const tests = {
    get service() {
      return service;
    },
    /** Signed in as an admin. */
    get client() {
      return client;
    },
    /** Direct access to the service, as the dashboard has it. */
    get access() {
      return localAccess(service.services, 'tui');
    },
    /** Access through the API, as somebody who is signed in. */
    through: (by: Client): Access => ({
      ...tests.access,
      call: (id, input, idempotencyKey) => by.call(id, input, undefined, idempotencyKey),
    }),
    /** Returns the views of the local operator, and brings those of the preferences to the service. */
    async views(preferences = memoryPreferences()): Promise<ViewStore> {
      const { access } = tests;
      const views = viewStore({ access, preferences, place: () => 'here', isReadOnly: false });
      await views.reload();
      return views;
    },
    /** Opens a dashboard, which is closed after the test. */
    open: (options?: DashboardOptions): Dashboard => tests.openWith(tests.access, options),
    openWith(access: Access, options?: DashboardOptions) {
      const dashboard = openDashboard(access, options);
      opened.push(dashboard);
      return dashboard;
    },
  };
  return tests;
}
