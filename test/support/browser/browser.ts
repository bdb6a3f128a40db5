import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/**
 * A host name that the browser resolves to this machine. Browsers trust loopback addresses like HTTPS, but treat this
 * name like any other plain-HTTP host.
 */
export const plainHost = 'backoffice.test';

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this process. All test files that it runs share it, because a browser takes seconds to start. Each
 * test opens windows of its own, which share no cookies, cache or storage with others, and closes them.
 */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= launchShared();
  return await shared;
}

async function launchShared(): Promise<Browser> {
  try {
    const browser = await launchBrowser();
    // The next test gets another one if it crashes.
    browser.once('disconnected', forget);
    // Vitest ends its workers by this signal. A browser that is closed also removes its profile.
    process.once('SIGTERM', () => void browser.close().finally(() => process.kill(process.pid, 'SIGKILL')));
    return browser;
  } catch (error) {
    forget();
    throw error;
  }
}

function forget(): void {
  shared = undefined;
}

/** Starts a real, headless browser. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, environments } = await findChromium();
  const args = [
    // Chromium's sandbox does not work as root or in many containers.
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
  ];
  let failure: unknown;
  for (const extra of environments) {
    try {
      return await chromium.launch({ executablePath, args, env: { ...process.env, ...extra } });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Collects problems on a page: console errors and warnings (including violations of the content security policy),
 * uncaught errors, failed requests, and error statuses.
 *
 * @param expected - error statuses that are not a problem
 */
export function watchPage(page: Page, expected: readonly number[] = []): readonly string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    const isExpected = expected.some((status) => text.includes(`status of ${status} `));
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => {
    problems.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    const status = response.status();
    if (status >= 400 && !expected.includes(status)) problems.push(`${status} ${response.url()}`);
  });
  return problems;
}
