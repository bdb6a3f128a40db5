import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { sharedBrowser } from '../browser/browser.ts';

export type WindowOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>;

/**
 * A window of the browser for one test. It has no cookies, no storage and nothing of other tests but the files of the
 * dashboard.
 */
interface TestWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly debug: CDPSession;
  /** Reports whether the test has changed the window in a way that cannot be taken back. */
  readonly isChanged: () => boolean;
}

const desk = { width: 1440, height: 900 };

/** What changes a window for all pages that follow in it, if it is called on a page or on the window itself. */
const changes = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'newCDPSession', 'newPage', 'route'],
  ...['routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation', 'setHTTPCredentials', 'setOffline'],
];

/**
 * The windows of a test file. One that a test leaves unchanged is cleaned for the next test: the dashboard loads in it in a
 * third of the processor time, because its files are fetched and compiled already.
 */
export class Windows {
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
      reducedMotion: reducedMotion ?? 'no-preference',
    });
    return opened;
  }

  /** Ends what the pages of a window do, and keeps it for another test if that finds nothing of this one. */
  async release(used: TestWindow, origin: string): Promise<void> {
    const isAlone = used.context.pages().length === 1 && !used.page.isClosed();
    if (isAlone && !used.isChanged() && (await clean(used, origin))) this.#free.push(used);
    else await used.context.close();
  }

  async close(): Promise<void> {
    for (const { context } of this.#free.splice(0)) await context.close();
  }
}

async function openWindow(): Promise<TestWindow> {
  const browser = await sharedBrowser();
  // Also for the pages that a test opens beside the first.
  const context = await browser.newContext({ viewport: desk });
  const page = await context.newPage();
  // Shorter than the time of a test, so that a failure names what it waited for.
  page.setDefaultTimeout(20_000);
  const debug = await context.newCDPSession(page);
  let isChanged = false;
  const change = () => {
    isChanged = true;
  };
  // The routes of a page are removed with it.
  watchCalls(
    page,
    changes.filter((name) => name !== 'route'),
    change,
  );
  watchCalls(context, changes, change);
  return { context, page, debug, isChanged: () => isChanged };
}

/** Has a function called before each call of some methods of an object, and whenever its clock is asked for. */
function watchCalls(target: Page | BrowserContext, names: readonly string[], onCall: () => void): void {
  const methods = target as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of names) {
    const method = methods[name]?.bind(target);
    if (method === undefined) continue;
    methods[name] = (...args) => {
      onCall();
      return method(...args);
    };
  }
  const { clock } = target;
  Object.defineProperty(target, 'clock', {
    get() {
      onCall();
      return clock;
    },
  });
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
    await page.unrouteAll({ behavior: 'ignoreErrors' });
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
