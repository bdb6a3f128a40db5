import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../src/contract/pages.ts';
import { firstViews } from '../support/page/first-views.ts';
import { type HostileData, type PageState, pageStates, writeHostileData } from '../support/page/states.ts';
import { accessibilityProblems, webHere } from '../support/page.ts';
import { isSlowRun } from '../support/slow-run.ts';

const dashboard = webHere();

let data: HostileData;
beforeAll(async () => {
  data = await writeHostileData(dashboard.backoffice);
});

const windows = { desk: { width: 1440, height: 900 }, phone: { width: 375, height: 812 } } as const;
type Kind = keyof typeof windows;
type Theme = 'light' | 'dark';

/**
 * The windows and themes that a state is checked in: all in a slow run, and otherwise one of each, in turn.
 *
 * @param place - that of the state in its list
 */
function viewsOf({ only }: PageState, place: number): { kinds: readonly Kind[]; themes: readonly Theme[] } {
  if (isSlowRun) return { kinds: only ? [only] : ['desk', 'phone'], themes: ['light', 'dark'] };
  const [kind, theme] = place % 2 === 0 ? (['desk', 'light'] as const) : (['phone', 'dark'] as const);
  return { kinds: [only ?? kind], themes: [theme] };
}

/** Opens a page, and resolves when it is live. */
async function openState(page: Page, { path, only, open }: PageState): Promise<void> {
  await page.setViewportSize(windows[only ?? 'desk']);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(dashboard.backoffice.service.url + (typeof path === 'string' ? path : path(data)));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
  await settle(page);
  await open?.(page);
}

/** Resolves when the page has its data and its fonts and is at rest. */
async function settle(page: Page): Promise<void> {
  // What it shows in a window of another width is there in the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  // By a locator: a function that waits in the page would be evaluated there, which its policy refuses.
  await expect.poll(() => page.locator('[data-loading], .mantine-Loader-root').count()).toBe(0);
}

/** Returns the problems of a page in the window that it is in. */
async function problemsIn(
  kind: Kind,
  themes: readonly Theme[],
  page: Page,
  { name }: PageState,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [index, theme] of themes.entries()) {
    await page.emulateMedia({ colorScheme: theme });
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

test.each<[string, readonly PageState[]]>([
  ['page', Object.values(pages).map(({ title, path }) => ({ name: title, path }))],
  // In parts, so that none takes long on a busy machine.
  ['dialog and other state, first part,', pageStates.slice(0, 9)],
  ['dialog and other state, second part,', pageStates.slice(9, 18)],
  ['dialog and other state, third part,', pageStates.slice(18)],
])('every %s is accessible, fits its window, and runs no text as a program', async (_what, states) => {
  const page = await dashboard.open('/');
  let executed = 0;
  page.on('dialog', (dialog) => {
    executed++;
    void dialog.dismiss();
  });
  const problems: string[] = [];
  for (const [place, state] of states.entries()) {
    const { kinds, themes } = viewsOf(state, place);
    await openState(page, state);
    for (const kind of kinds) {
      await page.setViewportSize(windows[kind]);
      await settle(page);
      await state.shows?.(page).waitFor();
      problems.push(...(await problemsIn(kind, themes, page, state)));
    }
  }
  expect(problems).toEqual([]);
  expect(executed).toBe(0);
});

test('the navigation and the palette lead to every page', async () => {
  const page = await dashboard.open('/');
  for (const { title, path } of Object.values(pages)) {
    await page.getByRole('navigation').getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).fill('overview');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('the theme is chosen in the menu, and kept', async () => {
  const page = await dashboard.open('/', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const scheme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme');
  await expect.poll(scheme).toBe('dark');
  await page.reload();
  await expect.poll(scheme).toBe('dark');
});

describe('the files of the dashboard', () => {
  test('are kept for a year by browsers, compressed, under the strictest policy', async () => {
    const { service } = dashboard.backoffice;
    const answer = await service.fetch('/issues');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
    const file = await service.fetch(script, { headers: { 'accept-encoding': 'br' } });
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
    });
    expect((await service.fetch('/assets/none.js')).status).toBe(404);
    expect((await service.fetch('/.vite/manifest.json')).status).toBe(404);
  });

  test('are small: at most 210 kB of script and 25 kB of style for the first view of each page', async () => {
    for (const { page, script, style } of await firstViews()) {
      expect(script, page).toBeLessThan(210_000);
      expect(style, page).toBeLessThan(25_000);
    }
  });
});
