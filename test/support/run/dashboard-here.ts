import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Access } from '../../../cli/access/access.ts';
import { localAccess } from '../../../cli/access/local.ts';
import { createList, type List } from '../../../cli/tui/list/list.ts';
import type { ListSource, Page } from '../../../cli/tui/list/source.ts';
import type { Trend } from '../../../cli/tui/screens/charts/trend-lines.ts';
import type { App } from '../../../cli/tui/state/app.ts';
import type { Client } from '../../../src/contract/client/client.ts';
import { type SeedOptions, seed } from '../../../src/services/seed/index.ts';
import { startTestService, type TestService } from '../here.ts';
import { smallSeed } from '../postgres/seeded.ts';
import { type Dashboard, type DashboardOptions, openDashboard } from './dashboard.tsx';

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
    /** Opens a dashboard, which is closed after the test. */
    open: (options?: DashboardOptions): Dashboard => tests.openWith(tests.access, options),
    openWith(access: Pick<Access, 'call'>, options?: DashboardOptions) {
      const dashboard = openDashboard(access, options);
      opened.push(dashboard);
      return dashboard;
    },
  };
  return tests;
}

/** Returns a promise that waits for the test, and what answers it and resolves when the effects of that have happened. */
function held<Answer>() {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  return {
    promise,
    async answer(answer: Answer): Promise<void> {
      resolve(answer);
      await setImmediate();
    },
    async refuse(sentence: string): Promise<void> {
      reject(new Error(sentence));
      await setImmediate();
    },
  };
}

/** A call of a screen that waits for its answer. */
type HeldCall = Omit<ReturnType<typeof held<object>>, 'promise'> & { readonly id: string };

/** Creates an app whose calls the test answers, in any order. */
export function createHeldApp() {
  const calls: HeldCall[] = [];
  const call = (id: string) => {
    const { promise, answer, refuse } = held<object>();
    calls.push({ id, answer, refuse });
    return promise;
  };
  const app = { call, explain: (error: Error) => error.message } as unknown as App;
  return { app, calls };
}

export interface Row {
  readonly id: number;
  readonly name: string;
}

const rowOrder = { keyOf: ({ id }: Row) => id, timeOf: ({ id }: Row) => id };

/** Returns the rows with the ids from the first number down to the second. */
export const rowsFrom = (from: number, to: number): Row[] =>
  Array.from({ length: from - to + 1 }, (_, index) => ({ id: from - index, name: `row ${from - index}` }));

/** Creates a list of rows that the test can change. */
export function listOver(rows: { current: Row[] }): List<Row> {
  return createList<Row>({
    ...rowOrder,
    explain: String,
    now: () => 0,
    async load(cursor, limit): Promise<Page<Row>> {
      const rest = rows.current.filter(({ id }) => cursor === null || id < Number(cursor));
      const page = rest.slice(0, limit);
      return { rows: page, nextCursor: rest.length > limit ? String(page.at(-1)?.id) : null };
    },
  });
}

/** A load of a list that waits for its answer. */
interface HeldLoad {
  readonly cursor: string | null;
  /** Answers, and resolves when the effects of the answer have happened. */
  readonly answer: (rows: readonly Row[], nextCursor?: string | null) => Promise<void>;
  readonly refuse: (sentence: string) => Promise<void>;
}

/** Creates a list whose loads the test answers, in any order. */
export function heldList(more: Partial<ListSource<Row>> = {}) {
  const loads: HeldLoad[] = [];
  const list = createList<Row>({
    ...rowOrder,
    explain: (error) => (error as Error).message,
    now: () => 0,
    load(cursor) {
      const { promise, answer, refuse } = held<Page<Row>>();
      loads.push({ cursor, answer: (rows, nextCursor = null) => answer({ rows, nextCursor }), refuse });
      return promise;
    },
    ...more,
  });
  return { list, loads };
}

/** Returns a list whose first page is loaded, and its loads from then on. */
export async function loadedList(
  rows: readonly Row[],
  nextCursor: string | null = null,
  more: Partial<ListSource<Row>> = {},
) {
  const held = heldList(more);
  void held.list.reload();
  await held.loads[0]?.answer(rows, nextCursor);
  held.loads.shift();
  return held;
}

export const stateOf = (list: List<Row>) => list.store.get();

export const ascending = (rows: readonly Row[]) => rows.toSorted((one, other) => one.id - other.id);

/** Returns a trend of days in January with these counts. */
export const trendOf = (counts: readonly number[]): Trend => ({
  timezone: 'UTC',
  days: counts.map((count, day) => ({
    date: new Date(Date.UTC(2026, 0, day + 1)).toISOString().slice(0, 10),
    startsAt: new Date(Date.UTC(2026, 0, day + 1)).toISOString(),
    endsAt: new Date(Date.UTC(2026, 0, day + 2)).toISOString(),
    count,
    bySeverity: [],
  })),
});
