// `npm run images`: photographs both dashboards, the command line and the API's page on example data, for README.md.
// Needs the font DejaVu Sans Mono.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm, { type IBufferCell } from '@xterm/headless';
import type { Page } from 'playwright-core';
import { findChromium, launchBrowser } from '../../test/support/page/browser.ts';
import { backoffice, inTerminal, startBackoffice } from '../../test/support/run/process.ts';
import { keys, openScreen } from '../../test/support/run/screen.ts';

/** The terminal's first 16 colours. */
const colours = [
  ...['#484f58', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#c9d1d9'],
  ...['#8b949e', '#ffa198', '#a5f3ac', '#f2cc60', '#a5d6ff', '#e2c5ff', '#b3f0ff', '#ffffff'],
];
const folder = await mkdtemp(join(tmpdir(), 'backoffice-images-'));
const admin = { email: 'grace@example.com', password: 'a picture of Backoffice' };
const env = {
  BACKOFFICE_DATA: folder,
  BACKOFFICE_ADMIN_EMAIL: admin.email,
  BACKOFFICE_ADMIN_PASSWORD: admin.password,
  LOG_LEVEL: 'warn',
};
process.env.FONTCONFIG_FILE = await writeFontConfig();
const browser = await launchBrowser();
const server = startBackoffice(['up'], { env });
try {
  const [, url] = await server.shows(/Documentation +(\S+)/);
  await backoffice(['seed', '--append', '--issues', '4000'], { env });
  await writeTerminal('dashboard.png', 100, 28, await drawDashboard());
  const commands = [
    ['issues', 'list', '--since', '7d', '--limit', '8'],
    ['issues', 'stats'],
  ];
  await writeTerminal('cli.png', 100, 60, await runCommands(commands));
  await writeApiPage(url ?? '');
  await writeWebPages(new URL(url ?? '').origin);
} finally {
  await server.stop();
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** Returns a font configuration with the fonts of the browser's package, which are proportional, and of the system. */
async function writeFontConfig() {
  const { environments } = await findChromium();
  const file = join(folder, 'fonts.conf');
  const folders = [environments[0]?.FONTCONFIG_PATH ?? '', '/usr/share/fonts'].filter(Boolean);
  const dirs = folders.map((dir) => `<dir>${dir}</dir>`).join('');
  const families = { 'sans-serif': 'Open Sans', monospace: 'DejaVu Sans Mono' };
  const aliases = Object.entries(families).map(
    ([name, family]) => `<alias><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
  );
  await writeFile(
    file,
    `<fontconfig>${dirs}<cachedir>${join(folder, 'fonts')}</cachedir>${aliases.join('')}</fontconfig>`,
  );
  return file;
}

/** Returns what a terminal receives when the dashboard shows an issue. */
async function drawDashboard() {
  const screen = await openScreen(['dashboard'], { columns: 100, rows: 28, env });
  try {
    await screen.shows(/❯ +\d+ /);
    await screen.press('j', 'j', ' ', ' ', 'k', keys.enter);
    await screen.shows('Steps to reproduce');
    await screen.shows('● live');
    return screen.raw();
  } finally {
    await screen.close();
  }
}

async function runCommands(commands: string[][]) {
  let text = '';
  for (const args of commands) {
    const { raw } = await inTerminal(args, { columns: 100, env });
    text += `\u001B[2m$\u001B[0m backoffice ${args.join(' ')}\n${raw}\n`;
  }
  return text.trimEnd().replaceAll('\n', '\r\n');
}

/** Writes a picture of a terminal that has received a text. */
async function writeTerminal(name: string, cols: number, rows: number, text: string) {
  const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(text, () => resolve(undefined)));
  const { active } = terminal.buffer;
  const height = active.type === 'alternate' ? rows : active.cursorY + 1;
  const lines = Array.from({ length: height }, (_, row) => {
    const cells = Array.from({ length: cols }, (_, column) => active.getLine(row)?.getCell(column));
    return `<div>${cells.map((cell) => (cell === undefined ? '' : toHtml(cell))).join('')}</div>`;
  });
  const page = await browser.newPage({
    deviceScaleFactor: 2,
    viewport: { width: 9 * cols + 48, height: 100 },
  });
  await page.setContent(`<style>
    body { margin: 0; padding: 20px 24px; background: #0d1117; color: #c9d1d9; font: 14.95px/18px 'DejaVu Sans Mono' }
    div { display: flex; height: 18px }
    i { font-style: normal; white-space: pre; width: 9px; height: 18px }
  </style>${lines.join('\n')}`);
  await page.screenshot({ path: join(import.meta.dirname, name), fullPage: true });
  await page.close();
}

function toHtml(cell: IBufferCell): string {
  if (cell.getWidth() === 0) return '';
  const text = cell.getChars() || ' ';
  const bar = barOf(text.codePointAt(0) ?? 0);
  const colour = cell.isFgPalette() ? paletteColour(cell.getFgColor()) : cell.isBold() ? '#fff' : undefined;
  const styles = [
    colour === undefined ? '' : `color: ${colour}`,
    cell.isBgPalette() ? `background: ${paletteColour(cell.getBgColor())}` : '',
    cell.isBold() ? 'font-weight: bold' : '',
    cell.isDim() ? 'opacity: 0.6' : '',
    cell.isInverse() ? 'color: #0d1117; background: #c9d1d9' : '',
    cell.getWidth() === 2 ? 'width: 18px' : '',
    bar ?? '',
  ];
  const shown = bar === undefined ? text.replace('&', '&amp;').replace('<', '&lt;') : '';
  return `<i style="${styles.filter(Boolean).join('; ')}">${shown}</i>`;
}

/** Returns a colour of the 256: the first 16, a cube with six shades of each primary colour, and 24 greys. */
function paletteColour(index: number) {
  if (index < 16) return colours[index];
  const grey = 8 + (index - 232) * 10;
  if (index >= 232) return `rgb(${grey} ${grey} ${grey})`;
  const shades = [36, 6, 1].map((step) => Math.floor((index - 16) / step) % 6);
  return `rgb(${shades.map((shade) => (shade === 0 ? 0 : 55 + shade * 40)).join(' ')})`;
}

/** Returns the style that draws a block element (`▉` to `▏`) of a bar, because glyphs leave gaps between the cells. */
function barOf(codePoint: number) {
  if (codePoint < 0x2588 || codePoint > 0x258f) return undefined;
  const width = `${(0x2590 - codePoint) * 12.5}%`;
  return `background: linear-gradient(to right, currentColor ${width}, transparent 0) center / 100% 14px no-repeat`;
}

async function writeApiPage(url: string) {
  const page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 1040, height: 722 } });
  await page.goto(url);
  await page.locator('.opblock').first().waitFor();
  await page.screenshot({ path: join(import.meta.dirname, 'api-docs.png') });
  await page.close();
}

/** Writes a picture of each theme of the web dashboard. */
async function writeWebPages(origin: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      colorScheme,
      deviceScaleFactor: 2,
      viewport: { width: 1200, height: 720 },
    });
    await page.goto(`${origin}/issues`);
    await page.getByLabel('E-mail').fill(admin.email);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    if (colorScheme === 'light') {
      await selectIssues(page);
      await writeWebPage(page, 'web-issues.png');
      await page.goto(origin);
      await page.getByRole('heading', { name: 'Latest activity' }).waitFor();
      await writeWebPage(page, 'web-overview.png');
    } else {
      await openConversation(page);
      await writeWebPage(page, 'web-conversations.png');
      await page.goto(`${origin}/usage`);
      await page.getByRole('heading', { name: 'Models' }).waitFor();
      await writeWebPage(page, 'web-usage.png');
    }
    await page.close();
  }
}

/** Photographs a page of the web dashboard that has its data. */
async function writeWebPage(page: Page, name: string) {
  await page.getByRole('status').getByText('Live').waitFor();
  // The menus of the header are loaded last.
  await page.getByRole('button', { name: 'Theme' }).waitFor();
  await page.locator('.mantine-Skeleton-root, [data-loading]').first().waitFor({ state: 'detached' });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(import.meta.dirname, name) });
}

async function selectIssues(page: Page) {
  const grid = page.getByRole('grid', { name: 'Issues' });
  await grid.focus();
  for (const key of ['j', 'x', 'j', 'j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('3 issues selected').waitFor();
}

async function openConversation(page: Page) {
  await page.getByRole('heading', { name: 'Issues' }).waitFor();
  const { conversations } = await page.evaluate<{ conversations: { id: number }[] }>(
    `fetch('/api/admin/conversations?limit=2').then((answer) => answer.json())`,
  );
  await page.goto(new URL(`/conversations?id=${conversations.at(-1)?.id}`, page.url()).href);
  await page.getByRole('log').waitFor();
}
