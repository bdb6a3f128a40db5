import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../../src/contract/event-types.ts';
import { operations } from '../../../src/contract/registry.ts';
import { backofficeHere, password } from '../../support/here.ts';
import { plainHost, sharedBrowser, watchPage } from '../../support/page/browser.ts';

const backoffice = backofficeHere();

let page: Page;
let problems: readonly string[];
/** The hosts that the page has sent requests to. */
const hosts = new Set<string>();

// The tests share one page, because the browser takes seconds to draw it.
beforeAll(async () => {
  page = await (await sharedBrowser()).newPage({ viewport: { width: 1280, height: 900 } });
  // Shorter than the test timeout, so that a failure names what it waited for.
  page.setDefaultTimeout(20_000);
  problems = watchPage(page);
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  const url = new URL('/api/docs', backoffice.service.url);
  url.hostname = plainHost;
  await page.goto(url.href);
  await page.locator('.opblock').first().waitFor();
});

afterAll(() => page?.close());

/** Opens an operation, executes it on the page, and returns the status and text of the response. */
async function execute(id: string, body?: unknown): Promise<{ status: string; text: string }> {
  const block = page.locator(`.opblock:has(a[href="#/${id.replace(/\..*/, '')}/${id}"])`);
  await block.locator('.opblock-summary-control').click();
  if (body !== undefined) await block.locator('textarea').fill(JSON.stringify(body));
  await block.getByRole('button', { name: 'Execute' }).click();
  const answer = block.locator('.live-responses-table .response').first();
  const status = await answer.locator('.response-col_status').innerText();
  return { status: status.trim(), text: await answer.locator('pre').first().innerText() };
}

describe('/api/docs in a browser, on plain HTTP', () => {
  test('shows every operation and message, for screen readers too, without another host', async () => {
    const shown = () => page.locator('.opblock-tag-section .opblock-summary-description').allInnerTexts();
    await expect.poll(shown).toStrictEqual(operations.map(({ summary }) => summary));
    const messages = () => page.locator('.webhooks .opblock-summary-path').allInnerTexts();
    await expect.poll(messages).toHaveLength(eventTypes.length);
    expect(await page.title()).toBe('Backoffice API');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await expect.poll(() => page.getByRole('heading', { name: /^Backoffice API/ }).count()).toBe(1);
    await expect.poll(() => page.getByRole('main').count()).toBe(1);
    await page.waitForLoadState('networkidle');
    expect(problems).toStrictEqual([]);
    expect([...hosts]).toStrictEqual([`${plainHost}:${new URL(backoffice.service.url).port}`]);
  });

  test('executes operations: signs in and lists the issues', async () => {
    const { email } = await backoffice.service.signIn('user');
    expect(await execute('session.create', { email, password })).toMatchObject({ status: '200' });
    const { status, text } = await execute('issues.list');
    expect([status, JSON.parse(text)]).toEqual(['200', { issues: [] }]);
    expect(problems).toStrictEqual([]);
  });
});
