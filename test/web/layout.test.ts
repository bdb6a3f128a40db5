import type { Page, Request, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { pages } from '../../src/contract/pages.ts';
import { seed } from '../../src/services/seed/index.ts';
import { openSession, password } from '../support/here.ts';
import { webHere } from '../support/page.ts';
import { smallSeed } from '../support/postgres/seeded.ts';

const dashboard = webHere();
const longEmail = 'marjorie.featherstonehaugh-cholmondeley@customer-success.example.com';

/** The things whose addresses are opened too. */
let things: { readonly issue: number; readonly conversation: string; readonly webhook: number };
beforeAll(async () => {
  const { service, superadmin, sql } = dashboard.backoffice;
  await seed(service.databaseUrl, { ...smallSeed, issues: 300, until: new Date().toISOString() });
  const { client } = superadmin;
  await client.call('admins.create', { email: longEmail, password, role: 'admin' });
  await openSession(service.url, longEmail);
  const [latest] = await sql(
    'select (select max(id) from issues)::integer as issue, (select max(id) from conversations) as conversation',
  );
  const { webhook } = await client.call('webhooks.create', {
    url: 'https://example.com/hook',
    description: 'The chat of the team',
  });
  things = { ...(latest as { issue: number; conversation: string }), webhook: webhook.id };
  await client.call('comments.create', { issue_id: things.issue, content: 'I look at it.' });
});

const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Returns the paths of all pages, and of what some of them show by another address. */
function paths(): readonly string[] {
  return [
    ...Object.values(pages).map(({ path }) => path),
    `/issues?issue=${things.issue}`,
    `/conversations?id=${things.conversation}`,
    `/webhooks?webhook=${things.webhook}`,
    '/scraping?view=runs',
  ];
}

/** The requests of a page that are under way, but for the stream of events. */
interface OpenRequests {
  readonly requests: ReadonlySet<Request>;
  /** Those of the API, which wait to be let through. */
  readonly held: Route[];
}

async function holdRequests(page: Page): Promise<OpenRequests> {
  const requests = new Set<Request>();
  const held: Route[] = [];
  const isStream = (request: Request) => request.url().includes('/api/admin/events');
  page.on('request', (request) => void (isStream(request) || requests.add(request)));
  page.on('requestfinished', (request) => void requests.delete(request));
  page.on('requestfailed', (request) => void requests.delete(request));
  await page.route('**/api/admin/**', async (route) => {
    if (isStream(route.request())) await route.continue();
    else held.push(route);
  });
  return { requests, held };
}

/** Lets one request through after the other, the latest first, and resolves when the page has asked for nothing more. */
async function answerOneByOne(page: Page, { requests, held }: OpenRequests): Promise<void> {
  const isDone = async () => {
    const route = held.pop();
    if (route !== undefined) {
      await route.continue();
      await (await route.request().response())?.finished();
    }
    await page.evaluate(twoFrames);
    const isThere = (await page.getByRole('heading', { level: 1 }).count()) > 0;
    return isThere && requests.size === 0 && (await page.locator('[data-loading]').count()) === 0;
  };
  await expect.poll(isDone, { interval: 1 }).toBe(true);
}

/** Returns what has moved since the page was opened, as the browser counts it. */
const shifts = `new Promise((done) => {
  const found = [];
  new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(found.map(({ value, sources }) => ({
    value,
    what: sources.map(({ node }) => String(node?.className)).join(', '),
  })))));
})`;

test.each([
  [1440, 900],
  [375, 812],
])(
  'in a window of a width of %i, nothing moves while a page is loaded, whatever is answered last',
  async (width, height) => {
    const page = await dashboard.open('/healthz', { viewport: { width, height } });
    const open = await holdRequests(page);
    for (const path of paths()) {
      await page.goto(dashboard.backoffice.service.url + path);
      await answerOneByOne(page, open);
      const found = (await page.evaluate(shifts)) as readonly { value: number; what: string }[];
      const sum = found.reduce((total, { value }) => total + value, 0);
      expect(sum, `${path}: ${JSON.stringify(found)}`).toBeLessThanOrEqual(0.005);
    }
  },
);

test('in windows between a phone and a desk, tables fit in, and e-mail addresses take one line', async () => {
  const page = await dashboard.open('/');
  for (const path of paths()) {
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto(dashboard.backoffice.service.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('[data-loading]').count()).toBe(0);
    for (const width of [800, 1024, 1280]) {
      await page.setViewportSize({ width, height: 768 });
      await page.evaluate(twoFrames);
      const excess = await page.evaluate(
        `Math.max(0, ...[...document.querySelectorAll('[role="grid"], main table')].map((table) => table.scrollWidth - table.clientWidth))`,
      );
      expect(excess, `${path} at ${width}`).toBe(0);
      if (path !== pages.sessions.path) continue;
      const row = page.getByRole('row').filter({ hasText: longEmail });
      expect((await row.boundingBox())?.height, `at ${width}`).toBeLessThan(50);
    }
  }
});
