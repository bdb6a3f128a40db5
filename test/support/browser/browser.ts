import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

/**
 * A name that the browser takes for this machine. Unlike an address of the loopback, which browsers trust like HTTPS,
 * it shows pages as a plain-HTTP installation does.
 */
export const plainHost = 'backoffice.test';

/** Starts a real, headless browser. Tests close it. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, environments } = await findChromium();
  const args = [
    // Chromium's sandbox refuses root, and many containers.
    '--no-sandbox',
    '--disable-dev-shm-usage',
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
 * Notes whatever goes wrong on a page from now on: console errors and warnings (violations of the content security
 * policy are among them), uncaught errors, and requests that fail or are answered with an error.
 *
 * @param expected - the statuses of answers that are no problem
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
