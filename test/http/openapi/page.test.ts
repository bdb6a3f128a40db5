import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/contract/event-types.ts';
import { operations } from '../../../src/contract/registry.ts';
import { backofficeHere, password } from '../../support/here.ts';
import { plainHost, sharedBrowser, watchPage } from '../../support/page/browser.ts';
import { isSlowRun } from '../../support/slow-run.ts';

const backoffice = backofficeHere();

let page: Page;
let problems: readonly string[];
/** The hosts that the page has sent requests to. */
const hosts = new Set<string>();

// The tests share one page, because the browser takes seconds to draw it.
beforeAll(async () => {
  page = await openPage();
});

afterAll(() => page?.close());

/** Opens the documentation, and collects the problems of its page. */
async function openPage(): Promise<Page> {
  const opened = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 900 } });
  // Shorter than the test timeout, so that a failure names what it waited for.
  opened.setDefaultTimeout(20_000);
  problems = watchPage(opened);
  opened.on('request', (request) => hosts.add(new URL(request.url()).host));
  const url = new URL('/api/docs', backoffice.service.url);
  url.hostname = plainHost;
  await opened.goto(url.href);
  await opened.locator('.opblock').first().waitFor();
  return opened;
}

/** Returns the part of the page that documents an operation. */
function operation(id: string): Locator {
  return page.locator(`.opblock:has(a[href="#/${id.slice(0, id.indexOf('.'))}/${id}"])`);
}

/** Opens an operation, executes it on the page, and returns the status and text of the response. */
async function execute(id: string, body?: unknown): Promise<{ status: string; text: string }> {
  const block = operation(id);
  await block.locator('.opblock-summary-control').click();
  if (body !== undefined) await block.locator('textarea').fill(JSON.stringify(body));
  await block.getByRole('button', { name: 'Execute' }).click();
  const answer = block.locator('.live-responses-table .response').first();
  const status = await answer.locator('.response-col_status').innerText();
  return { status: status.trim(), text: await answer.locator('pre').first().innerText() };
}

test.each(['/index.html', '/swagger-initializer.js', '/swagger-ui-bundle.js.map', '/package.json'])(
  'does not serve %s of the package, which the page does not need',
  async (path) => {
    expect((await fetch(`${backoffice.service.url}/api/docs${path}`)).status).toBe(404);
  },
);

describe('/api/docs in a browser, on plain HTTP', () => {
  test('shows every operation, without problems on the page', async () => {
    const shown = () => page.locator('.opblock-tag-section .opblock-summary-description').allInnerTexts();
    await expect.poll(shown).toStrictEqual(operations.map(({ summary }) => summary));
    const messages = () => page.locator('.webhooks .opblock-summary-path').allInnerTexts();
    await expect.poll(messages).toHaveLength(eventTypes.length);
    await page.waitForLoadState('networkidle');
    expect(problems).toStrictEqual([]);
  });

  test('has a title, a language and landmarks for screen readers', async () => {
    expect(await page.title()).toBe('Backoffice API');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await expect.poll(() => page.getByRole('heading', { name: /^Backoffice API/ }).count()).toBe(1);
    await expect.poll(() => page.getByRole('main').count()).toBe(1);
  });

  test('sends no request to another host', async () => {
    await page.waitForLoadState('networkidle');
    expect([...hosts]).toStrictEqual([`${plainHost}:${new URL(backoffice.service.url).port}`]);
  });

  test('executes operations: signs in and lists the issues', async () => {
    const { email } = await backoffice.service.signIn('user');
    const signedIn = await execute('session.create', { email, password });
    expect(signedIn.status).toBe('200');
    const listed = await execute('issues.list');
    expect(listed.status).toBe('200');
    expect(JSON.parse(listed.text)).toHaveProperty('issues');
    expect(problems).toStrictEqual([]);
  });

  // The page takes most of a minute for it.
  test.runIf(isSlowRun)(
    'opens every operation without an error',
    async () => {
      // Other tests have opened some, which a click would close. All at once: after a single click, the next one waits
      // until the page has settled.
      await page.evaluate(
        `document.querySelectorAll('.opblock-tag-section .opblock:not(.is-open) .opblock-summary-control')
        .forEach((it) => it.click())`,
      );
      await page
        .locator('.responses-wrapper')
        .nth(operations.length - 1)
        .waitFor({ timeout: 180_000 });
      expect(await page.locator('.errors-wrapper').count()).toBe(0);
      expect(problems).toStrictEqual([]);
    },
    240_000,
  );
});
