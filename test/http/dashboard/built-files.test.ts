import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { builtFiles, readBuild } from '../../../src/http/dashboard/read-build.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a file of the web dashboard is sent as the browser takes it, also while a newer build replaces it', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'assets'));
  const contents = {
    'page.js': 'plain',
    'page.js.br': brotliCompressSync('brotli'),
    'page.js.gz': gzipSync('gzip'),
  };
  for (const [name, content] of Object.entries(contents))
    await writeFile(join(folder, 'assets', name), content);
  await writeFile(join(folder, '.secret'), 'hidden');

  const app = express();
  const build = readBuild(folder);
  app.use(builtFiles(() => build));
  const server = createServer(app);
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const ask = (path: string, encodings: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': encodings } });

  const whole = await ask('/assets/page.js', 'identity');
  expect(await whole.text()).toBe('plain');
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  expect(await (await ask('/assets/page.js', 'gzip, br')).text()).toBe('brotli');
  expect(await (await ask('/assets/page.js', 'gzip')).text()).toBe('gzip');
  expect((await ask('/.secret', 'identity')).status).toBe(404);
  expect((await ask('/assets/%2e%2e/.secret', 'identity')).status).toBe(404);

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

test('a service without a build of the web dashboard has no files', async () => {
  expect(await readBuild(join(await temporaryFolder(), 'none'))).toEqual(new Map());
});
