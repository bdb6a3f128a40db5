import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pages } from '../../src/contract/pages.ts';
import { clientWith, instanceHere } from '../support/here.ts';
import { webHere } from '../support/page.ts';
import { listenOnLoopback } from '../support/receivers/listen.ts';
import { live, signIn } from './steps.ts';

const prefix = '/tools/backoffice';
const dashboard = webHere({ TRUST_PROXY: '1' });
const second = instanceHere(dashboard.backoffice, { TRUST_PROXY: '1' });
let proxy: Server;
let url: string;

/** A proxy that serves two instances in turn under a path, which it removes. */
beforeAll(async () => {
  const { service } = dashboard.backoffice;
  let turn = 0;
  proxy = createServer((req, res) => {
    const path = req.url ?? '';
    if (!path.startsWith(`${prefix}/`)) {
      res.writeHead(404).end();
      return;
    }
    const instance = turn++ % 2 === 0 ? service : second;
    const headers = { ...req.headers, 'x-forwarded-prefix': prefix };
    const target = new URL(path.slice(prefix.length), instance.url);
    const passed = request(target, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  url = `http://127.0.0.1:${await listenOnLoopback(proxy)}${prefix}`;
});
afterAll(() => {
  proxy?.closeAllConnections();
  proxy?.close();
});

test('works under a path behind a proxy, with two instances in turn', async () => {
  const page = await dashboard.open('/sign-in', { as: null });
  await page.goto(`${url}/issues?status=Open`);
  await signIn(page, dashboard.backoffice.superadmin.email);
  await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
  await expect.poll(() => page.url()).toBe(`${url}/issues?status=Open`);
  for (const { title, path } of Object.values(pages)) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(prefix + path);
  }
  await page.goto(`${url}/issues`);
  await live(page);
  // Whichever instance the page follows, an issue of each arrives.
  const { client, cookie } = dashboard.backoffice.superadmin;
  await client.call('issues.create', { title: 'From the first', severity: 'Low' });
  const clientOfSecond = clientWith(second.url, cookie);
  await clientOfSecond.call('issues.create', { title: 'From the second', severity: 'Low' });
  await page.getByRole('button', { name: '2 new' }).click();
  await page.getByRole('row').filter({ hasText: 'From the second' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'From the first' }).waitFor();
});
