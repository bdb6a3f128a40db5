import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { pages } from '../../src/contract/pages.ts';
import { seed } from '../../src/services/seed/index.ts';
import { openSession, password, type SignedIn } from '../support/here.ts';
import { firstViews } from '../support/page/first-views.ts';
import { type HostileData, type PageState, pageStates, writeHostileData } from '../support/page/states.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { smallSeed } from '../support/postgres/seeded.ts';
import { isSlowRun } from '../support/slow-run.ts';
import { live } from './steps.ts';

const dashboard = webHere();
const longEmail = 'marjorie.featherstonehaugh-cholmondeley@customer-success.example.com';

let data: HostileData;
/** A superadmin and a webhook with names as people have them, which move nothing. */
let visitor: SignedIn;
let webhookId: number;
let auditId: number;
beforeAll(async () => {
  const { service, superadmin } = dashboard.backoffice;
  await seed(service.databaseUrl, { ...smallSeed, issues: 300, until: new Date().toISOString() });
  await superadmin.client.call('admins.create', { email: longEmail, password, role: 'admin' });
  await openSession(service.url, longEmail);
  data = await writeHostileData(dashboard.backoffice);
  visitor = await service.signIn('superadmin');
  const hook = { url: 'https://example.com/hook', description: 'The chat of the team' };
  webhookId = (await superadmin.client.call('webhooks.create', hook)).webhook.id;
  auditId = (await superadmin.client.call('audit.list', { limit: 1 })).audit[0]?.id ?? 0;
});

const windows = { desk: { width: 1440, height: 900 }, phone: { width: 375, height: 812 } } as const;
type Kind = keyof typeof windows;
const kinds = Object.keys(windows) as Kind[];

/** The windows that the page or state at a place of its list is checked in: both in a slow run, otherwise one, in turn. */
const kindsAt = (place: number): readonly Kind[] => (isSlowRun ? kinds : [kinds[place % 2] as Kind]);

/** The widths between a phone and a desk that a page is checked in, likewise. */
const widths = [800, 1024, 1280];
const widthsAt = (place: number): readonly number[] =>
  isSlowRun ? widths : [widths[place % widths.length] as number];

/** The themes likewise: the dark one is that of phones. */
const themesIn = (kind: Kind): readonly ('light' | 'dark')[] =>
  isSlowRun ? ['light', 'dark'] : [kind === 'desk' ? 'light' : 'dark'];

const isLoading = '[data-loading], .mantine-Loader-root';
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Resolves when the page has its data and its fonts and is at rest. */
async function settle(page: Page): Promise<void> {
  // What it shows in a window of another width is there in the next frame.
  await page.evaluate(twoFrames);
  // By a locator: a function that waits in the page would be evaluated there, which its policy refuses.
  await expect.poll(() => page.locator(isLoading).count(), { interval: 20 }).toBe(0);
}

/** Returns the problems of a page in the window that it is in. */
async function problemsIn(kind: Kind, page: Page, name: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [index, theme] of themesIn(kind).entries()) {
    await page.emulateMedia({ colorScheme: theme });
    await settle(page);
    // Only colors differ in the other theme.
    const rules = index === 0 ? undefined : ['color-contrast', 'link-in-text-block'];
    const found = await accessibilityProblems(page, rules);
    problems.push(...found.map((problem) => `${name}, ${kind}, ${theme}: ${problem}`));
  }
  const cut = await page.evaluate(
    `[...document.querySelectorAll('main table')].filter((table) => table.parentElement.offsetHeight < table.offsetHeight && !/auto|scroll/.test(getComputedStyle(table.parentElement).overflowY)).length`,
  );
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return [
    ...problems,
    ...(cut === 0 ? [] : [`${name}, ${kind}: rows of a table are cut off`]),
    ...(excess === 0 ? [] : [`${name}, ${kind}: it is wider than the window`]),
  ];
}

/** Returns what does not fit in windows between a phone and a desk: a table, or an e-mail address in one line. */
async function problemsBetween(
  page: Page,
  path: string,
  widths: readonly number[],
  atRest: () => Promise<void>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 768 });
    await atRest();
    const excess = await page.evaluate(
      `Math.max(0, ...[...document.querySelectorAll('[role="grid"], main table')].map((table) => table.scrollWidth - table.clientWidth))`,
    );
    if (excess !== 0) problems.push(`${path}, ${width}: a table is wider than its place`);
    if (path !== pages.sessions.path) continue;
    const row = await page.getByRole('row').filter({ hasText: longEmail }).boundingBox();
    if (row === null || row.height >= 50) problems.push(`${path}, ${width}: a row of ${row?.height} pixels`);
  }
  return problems;
}

/** Counts the programs that texts run on a page: each of them would call `alert`. */
function countPrograms(page: Page): () => number {
  let executed = 0;
  page.on('dialog', (dialog) => {
    executed++;
    void dialog.dismiss();
  });
  return () => executed;
}

/** Leads to an address within the dashboard, as a link does. */
const follow = (page: Page, address: string) => page.evaluate(`history.pushState(null, '', '${address}')`);

/** Opens a state, and resolves when its page is at rest. Another page between leaves nothing of a state that was touched. */
async function openState(page: Page, { path, only, open }: PageState, isUntouched: boolean): Promise<void> {
  await page.setViewportSize(windows[only ?? 'desk']);
  await page.emulateMedia({ colorScheme: 'light' });
  if (!isUntouched) {
    await follow(page, pages.tokens.path);
    await page.getByRole('heading', { level: 1, name: pages.tokens.title }).waitFor();
  }
  await follow(page, typeof path === 'string' ? path : path(data));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await live(page);
  await settle(page);
  await open?.(page);
}

test.each([
  // In parts, so that none takes long on a busy machine.
  ['first', pageStates.slice(0, 14)],
  ['second', pageStates.slice(14)],
] as const)(
  'every dialog and other state is accessible, fits its window, and runs no text as a program, %s part',
  async (_part, states) => {
    const page = await dashboard.open('/');
    const countExecuted = countPrograms(page);
    const problems: string[] = [];
    for (const [place, state] of states.entries()) {
      await openState(page, state, states[place - 1]?.open === undefined);
      for (const kind of state.only ? [state.only] : kindsAt(place)) {
        await page.setViewportSize(windows[kind]);
        await settle(page);
        await state.shows(page).waitFor();
        problems.push(...(await problemsIn(kind, page, state.name)));
      }
    }
    expect(problems).toEqual([]);
    expect(countExecuted()).toBe(0);
  },
);

test('the theme is chosen in the menu, and kept', async () => {
  const page = await dashboard.open('/', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme');
  await expect.poll(scheme).toBe('dark');
  await page.reload();
  await expect.poll(scheme).toBe('dark');
});

/** Has a page hold its requests of the API, but for the stream of events, until they are let through. */
const holdRequests = `
  const send = fetch;
  window.held = [];
  window.fetch = (address, options) => {
    if (!/\\/api\\/admin\\/(?!events)/.test(address)) return send(address, options);
    return new Promise((resolve) => held.push(() => {
      const sent = send(address, options);
      resolve(sent.then((answer) => answer.clone()));
      return sent.then((answer) => answer.text()).catch(() => {});
    }));
  };
`;

/** Lets the latest request through. Returns how many are still held once the page shows the answer. */
const answerLatest = `(async () => {
  await held.pop()?.();
  await ${twoFrames};
  return held.length;
})()`;

/** Returns the requests of a page that are under way, but for the stream of events. */
function openRequestsOf(page: Page): ReadonlySet<Request> {
  const requests = new Set<Request>();
  const isStream = (request: Request) => request.url().includes('/api/admin/events');
  page.on('request', (request) => void (isStream(request) || requests.add(request)));
  page.on('requestfinished', (request) => void requests.delete(request));
  page.on('requestfailed', (request) => void requests.delete(request));
  return requests;
}

/** Lets one request through after the other, the latest first, and resolves when the page has asked for nothing more. */
async function answerOneByOne(page: Page, requests: ReadonlySet<Request>): Promise<void> {
  const isDone = async () => {
    if ((await page.evaluate(answerLatest)) !== 0 || requests.size > 0) return false;
    const isThere = (await page.getByRole('heading', { level: 1 }).count()) > 0;
    return isThere && (await page.locator(isLoading).count()) === 0;
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

/** Returns the paths of all pages, and of what some of them show by another address. */
const paths = () => [
  ...Object.values(pages).map(({ path }) => path),
  `/issues?issue=${data.issue}`,
  `/conversations?id=${data.conversation}`,
  `/webhooks?webhook=${webhookId}`,
  '/scraping?view=runs',
  '/scraping?view=runs&run=run+0',
  `/audit?entry=${auditId}`,
];

test.each(kinds)(
  'every page moves nothing while it is loaded, whatever is answered last, is accessible, fits its window, and runs no text, on a %s',
  async (kind) => {
    const page = await dashboard.open('/healthz', { viewport: windows[kind], as: visitor });
    const countExecuted = countPrograms(page);
    const requests = openRequestsOf(page);
    await page.addInitScript(holdRequests);
    const problems: string[] = [];
    for (const [place, path] of paths().entries()) {
      if (!kindsAt(place).includes(kind)) continue;
      await page.setViewportSize(windows[kind]);
      // What no page knows of an address is ignored.
      await page.goto(
        `${dashboard.backoffice.service.url}${path}${path.includes('?') ? '&' : '?'}utm_source=mail`,
      );
      await answerOneByOne(page, requests);
      const found = (await page.evaluate(shifts)) as readonly { value: number; what: string }[];
      const sum = found.reduce((total, { value }) => total + value, 0);
      if (sum > 0.005) problems.push(`${path}, ${kind}: ${JSON.stringify(found)}`);
      problems.push(...(await problemsIn(kind, page, path)));
      if (isSlowRun && kind === 'phone') continue;
      problems.push(
        ...(await problemsBetween(page, path, widthsAt(place), () => answerOneByOne(page, requests))),
      );
    }
    expect(problems).toEqual([]);
    expect(countExecuted()).toBe(0);
  },
);

test('the files of the dashboard are under the strictest policy, and only those that the pages need', async () => {
  const { service } = dashboard.backoffice;
  const answer = await service.fetch('/issues');
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect((await service.fetch('/.vite/manifest.json')).status).toBe(404);
});

test('the files of the dashboard are small: at most 205 kB of script and 25 kB of style for the first view of each page', async () => {
  const views = await firstViews();
  expect(views.length).toBeGreaterThan(Object.keys(pages).length);
  for (const { page, script, style } of views) {
    expect(script, page).toBeLessThan(205_000);
    expect(style, page).toBeLessThan(25_000);
  }
});
