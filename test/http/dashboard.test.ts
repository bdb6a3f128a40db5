import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { shadesOf } from '../../src/contract/known-settings/accent-shades.ts';
import { builtFiles, readBuild } from '../../src/http/dashboard/router.ts';
import { svg } from '../support/here/rows.ts';
import { backofficeHere, startInstance } from '../support/here.ts';
import { duringTransaction } from '../support/postgres.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const backoffice = backofficeHere();

const read = (path: string, headers = {}) => backoffice.service.fetch(path, { headers });

beforeEach(() => backoffice.sql('truncate settings'));

const brand = (updates: Record<string, string>) =>
  backoffice.superadmin.client.call('settings.update', { updates });

const textOf = async (path: string) => (await read(path)).text();
const shown = async (service = backoffice.service) =>
  (await (await service.fetch('/branding.json')).json()) as Record<string, string | null>;

test('without settings, the dashboard has its own name and colours', async () => {
  expect(await shown()).toEqual({ name: 'Backoffice', version: expect.any(String), logo: null });
  expect(await textOf('/branding.css')).toBe('');
  expect((await read('/branding/logo')).status).toBe(404);
  const page = await textOf('/sign-in');
  expect(page).toContain('<title>Backoffice</title>');
  expect(page).toContain('<link rel="icon" href="/favicon.svg"');
});

test('anybody sees the name, the logo and the accent, also before the sign-in', async () => {
  await brand({ site_name: 'Ada', site_logo: svg, accent_color: '#ffd43b' });
  const { name, version, logo } = await shown();
  expect({ name, logo }).toEqual({ name: 'Ada', logo: `branding/logo?v=${version}` });
  const style = await textOf(`/branding.css?v=${version}`);
  const { light, dark } = shadesOf('#ffd43b');
  expect(style).toContain(`--accent: ${light.accent};`);
  expect(style).toContain(`--accent: ${dark.accent};`);
  const picture = await read(`/${logo}`);
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': expect.stringContaining('image/svg+xml'),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect(`data:image/svg+xml;base64,${bytes.toString('base64')}`).toBe(svg);
  const page = await textOf('/sign-in');
  expect(page).toContain('<title>Ada</title>');
  expect(page).toContain(`href="/branding.css?v=${version}"`);
  expect(page).toContain(`<link rel="icon" href="/branding/logo?v=${version}">`);
});

test('a browser asks again only for what has changed', async () => {
  await brand({ site_name: 'Ada' });
  const first = await read('/branding.json');
  const etag = String(first.headers.get('etag'));
  expect((await read('/branding.json', { 'if-none-match': etag })).status).toBe(304);
  // Under an address without the version, it asks each time.
  const style = await read('/branding.css', { 'if-none-match': etag });
  expect(style.status).toBe(304);
  expect(style.headers.get('cache-control')).toBe('no-cache');
  await brand({ site_name: 'Grace' });
  expect((await read('/branding.json', { 'if-none-match': etag })).status).toBe(200);
});

test('a name is only a text, and an invalid value counts as absent', async () => {
  const name = `</title><script>alert("1")</script> href="./x" $& '`;
  await brand({ site_name: name, accent_color: 'red;}', site_logo: 'javascript:alert(1)' });
  const page = await textOf('/sign-in');
  expect(page).not.toContain('<script>alert');
  expect(page).toContain(
    '&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; href=&quot;./x&quot; $&amp; &#39;',
  );
  expect(await shown()).toMatchObject({ name, logo: null });
  expect(await textOf('/branding.css')).toBe('');
});

test('every instance shows a change at once, and the last one without the database', async () => {
  const other = await startInstance(backoffice);
  await brand({ site_name: 'Ada' });
  expect(await shown(other)).toMatchObject({ name: 'Ada' });
  await brand({ site_name: 'Grace' });
  expect(await shown(other)).toEqual(await shown());
  onTestFinished(async () => {
    await backoffice.sql('alter table settings_away rename to settings');
  });
  await backoffice.sql('alter table settings rename to settings_away');
  expect(await shown(other)).toMatchObject({ name: 'Grace' });
  expect((await other.fetch('/sign-in')).status).toBe(200);
});

test('all pages that anybody opens take one connection at most, also while the database does not answer', async () => {
  await duringTransaction(backoffice, ['lock table settings'], async (client) => {
    const pages = await Promise.all(Array.from({ length: 40 }, () => read('/sign-in')));
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    const { rows } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%setting_key = any%'`,
    );
    expect(rows).toHaveLength(1);
  });
});

test('a file of the web dashboard is sent as the browser takes it, also while a newer build replaces it', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'assets'));
  for (const [name, content] of [
    ['assets/page.js', 'plain'],
    ['assets/page.js.br', brotliCompressSync('brotli')],
    ['assets/page.js.gz', gzipSync('gzip')],
    ['.secret', 'hidden'],
  ] as const)
    await writeFile(join(folder, name), content);

  const app = express();
  const build = readBuild(folder);
  app.use(builtFiles(() => build));
  const server = createServer(app);
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const ask = (path: string, encodings: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': encodings } });

  const whole = await ask('/assets/page.js', 'identity');
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  expect(await whole.text()).toBe('plain');
  expect(await (await ask('/assets/page.js', 'gzip, br')).text()).toBe('brotli');
  expect(await (await ask('/assets/page.js', 'gzip')).text()).toBe('gzip');
  expect((await ask('/.secret', 'identity')).status).toBe(404);
  expect((await ask('/assets/%2e%2e/.secret', 'identity')).status).toBe(404);
  // Without a build, there are no files.
  expect(await readBuild(join(folder, 'none'))).toEqual(new Map());

  await rm(join(folder, 'assets'), { recursive: true });
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets', 'newer.js'), 'of the newer build');
  expect(await (await ask('/assets/page.js', 'gzip, br')).text()).toBe('brotli');
  const newer = await ask('/assets/newer.js', 'gzip, br');
  expect(newer.status).toBe(404);
  expect(newer.headers.get('content-encoding')).toBeNull();
  // An instance of the newer build has it.
  expect(newer.headers.get('cache-control')).toBe('no-store');
});
