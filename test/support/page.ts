import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { backofficeHere, type SignedIn } from './here.ts';
import { sharedBrowser, watchPage } from './page/browser.ts';
import { isSlowRun } from './slow-run.ts';

interface OpenOptions extends WindowOptions {
  /** Who is signed in; null for nobody. By default the superadmin. */
  readonly as?: Pick<SignedIn, 'cookie'> | null;
  /** Statuses of the API that the test causes. A page without a session asks who is signed in, which is a 401. */
  readonly expected?: readonly number[];
  /** Whether the test cuts the connection of the page, so that requests fail. */
  readonly isCutOff?: boolean;
  /** Parts of errors on the console that the test causes. */
  readonly errors?: readonly string[];
}

/** Starts the service with its web dashboard before the tests of the calling file, and stops it after them. */
export function webHere(env: Record<string, string> | (() => Record<string, string>) = {}) {
  const backoffice = backofficeHere(env);
  const windows = new Windows();
  afterAll(() => windows.close());

  return {
    backoffice,
    /**
     * Opens a page in a window of its own, as another person would. Once the test is finished, the window must have had no
     * problem: no error on the console, no violation of the policy, no failed request, no unexpected status.
     */
    async open(path: string, options: OpenOptions = {}) {
      const { as = backoffice.superadmin, expected = [], isCutOff = false, errors = [], ...window } = options;
      const opened = await windows.open(window);
      const { context, page } = opened;
      const { url } = backoffice.service;
      if (as !== null) {
        const [name = '', value = ''] = as.cookie.split('=', 2);
        await context.addCookies([{ name, value: decodeURIComponent(value), url }]);
      }
      const problems = watchPage(page, as === null ? [401, ...expected] : expected);
      onTestFinished(async () => {
        await windows.release(opened, url);
        const caused = isCutOff ? [...errors, 'net::ERR_'] : errors;
        const others = problems.filter((problem) => !caused.some((part) => problem.includes(part)));
        // Requests end with their page: the stream of events, and what a page no longer needs.
        expect(others.filter((problem) => !problem.endsWith('net::ERR_ABORTED'))).toEqual([]);
      });
      await page.goto(url + path);
      return page;
    },
  };
}

type WindowOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/**
 * A window of the browser for one test. It has no cookies, no storage and nothing of other tests but the files of the
 * dashboard.
 */
type TestWindow = Awaited<ReturnType<typeof openWindow>>;

const desk = { width: 1440, height: 900 };

/** What changes a window for all pages that follow in it, for good, if it is called on a page or on the window itself. */
const changes = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'newCDPSession', 'routeWebSocket'],
  ...['setExtraHTTPHeaders', 'setGeolocation', 'setHTTPCredentials'],
];

/**
 * The windows of a test file. One that a test leaves unchanged is cleaned for the next test: the dashboard loads in it in a
 * third of the processor time, because its files are fetched and compiled already.
 */
class Windows {
  readonly #free: TestWindow[] = [];

  /** Opens a window of its own, as another person would. */
  async open({ viewport, colorScheme, reducedMotion }: WindowOptions): Promise<TestWindow> {
    // A browser that has crashed closed its windows.
    let opened = this.#free.pop();
    while (opened?.page.isClosed()) opened = this.#free.pop();
    opened ??= await openWindow();
    await opened.page.setViewportSize(viewport ?? desk);
    await opened.page.emulateMedia({
      media: null,
      contrast: null,
      forcedColors: null,
      colorScheme: colorScheme ?? 'light',
      // Unless motion is the matter: dialogs that slide in take twice the processor time.
      reducedMotion: reducedMotion ?? 'reduce',
    });
    return opened;
  }

  /** Ends what the pages of a window do, and keeps it for another test if that finds nothing of this one. */
  async release(used: TestWindow, origin: string): Promise<void> {
    if (!used.page.isClosed() && !used.isChanged() && (await clean(used, origin))) this.#free.push(used);
    else await used.context.close();
  }

  async close(): Promise<void> {
    for (const { context } of this.#free.splice(0)) await context.close();
  }
}

async function openWindow() {
  const browser = await sharedBrowser();
  // Also for the pages that a test opens beside the first.
  const context = await browser.newContext({ viewport: desk });
  context.on('page', waitForRoutes);
  const page = await context.newPage();
  // Shorter than the time of a test, so that a failure names what it waited for.
  page.setDefaultTimeout(20_000);
  const debug = await context.newCDPSession(page);
  let isChanged = false;
  const change = () => {
    isChanged = true;
  };
  // The routes of a page are removed with it.
  watchCalls(page, changes, change);
  watchCalls(context, [...changes, 'route'], change);
  watchCalls(context.clock, ['install', 'setFixedTime', 'setSystemTime'], change);
  return {
    context,
    page,
    debug,
    /** Reports whether the test has changed the window in a way that cannot be taken back. */
    isChanged: () => isChanged,
  };
}

/**
 * Has the routes of a page resolve once the page obeys them. Chromium tells a page of its first route by another way than
 * the keys and clicks that follow, so a busy page would send what they cause past the route.
 */
function waitForRoutes(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const added = await route(...args);
    if (!page.url().startsWith('http')) return added;
    const probe = (asked: Route) => asked.fulfill({ status: 204 });
    await route('**/healthz', probe);
    await page.evaluate(untilProbeIsAnswered);
    await page.unroute('**/healthz', probe);
    return added;
  };
}

const untilProbeIsAnswered = `(async () => {
  const status = () => fetch('/healthz').then(({ status }) => status, () => 0);
  while ((await status()) !== 204);
})()`;

/** Has a function called before each call of some methods of an object. */
function watchCalls(target: object, names: readonly string[], onCall: () => void): void {
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  for (const name of names) {
    const method = methods[name]?.bind(target);
    if (method === undefined) continue;
    methods[name] = (...args) => {
      onCall();
      return method(...args);
    };
  }
}

/** What tests listen to. */
const events = [
  ...['console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup'],
  ...['request', 'requestfailed', 'requestfinished', 'response'],
];

/** Removes what a test has left in a window. Resolves with false if that fails. */
async function clean({ context, page, debug }: TestWindow, origin: string): Promise<boolean> {
  try {
    for (const event of events) page.removeAllListeners(event);
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await page.goto(`${origin}/healthz`);
    await page.evaluate('sessionStorage.clear()');
    await debug.send('Storage.clearDataForOrigin', { origin: '*', storageTypes });
    await debug.send('Page.resetNavigationHistory');
    await context.clearCookies();
    await context.clearPermissions();
    return true;
  } catch {
    return false;
  }
}

/** All but the files that the browser has fetched. */
const storageTypes =
  'local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,storage_buckets';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Resolves when nothing moves but what moves for ever. What fades in has too little contrast until then. It asks in each
 * frame, because the `finished` of a transition may stay pending for ever in Chromium.
 */
const untilAtRest = `new Promise((done) => {
  const isMoving = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime !== Infinity;
  const check = () => (document.getAnimations().some(isMoving) ? requestAnimationFrame(check) : done());
  check();
})`;

/**
 * What a short run checks: the dialog on top, because the page is checked without it; or else the page with the first rows
 * of its lists.
 */
const essentialPart = `[...document.querySelectorAll('[role="dialog"]')].findLast((dialog) => dialog.checkVisibility())
  ?? { exclude: ['[role="row"]:nth-child(n + 5)', 'tr:nth-child(n + 5)'] }`;

/**
 * Returns what axe finds on a page, in a line each.
 *
 * @param rules - only these rules; by default all
 */
export async function accessibilityProblems(page: Page, rules?: readonly string[]) {
  await page.evaluate(untilAtRest);
  // The debugger's protocol runs it, which the policy of the page does not bind.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options: RunOptions = {
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
    resultTypes: ['violations'],
    // None of the rules reads the style sheets, which would be loaded again for each run.
    preload: { assets: ['media'] },
  };
  const part = isSlowRun ? 'document' : essentialPart;
  const violations = (await page.evaluate(`(async () => {
    const part = ${part};
    // The heading is that of the page, not of a dialog on it.
    const rules = part instanceof Element ? { 'page-has-heading-one': { enabled: false } } : {};
    const { violations } = await axe.run(part, { ...${JSON.stringify(options)}, rules });
    return violations;
  })()`)) as AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
