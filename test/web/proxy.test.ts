import { expect, onTestFinished, test } from 'vitest';
import { pages } from '../../src/contract/pages.ts';
import { clientWith, instanceHere } from '../support/here.ts';
import { webHere } from '../support/page.ts';
import { startProxy } from '../support/receivers/proxy.ts';
import { live, row, signIn } from './steps.ts';

const prefix = '/tools/backoffice';
const dashboard = webHere({ TRUST_PROXY: '1' });
const second = instanceHere(dashboard.backoffice, { TRUST_PROXY: '1' });

test('works under a path behind a proxy, with two instances in turn', async () => {
  const { service, superadmin } = dashboard.backoffice;
  const proxy = await startProxy({ prefix });
  onTestFinished(() => proxy.close());
  for (const { url } of [service, second]) await proxy.add(url);
  const page = await dashboard.open('/sign-in', { as: null });
  await page.goto(`${proxy.url}/issues?status=Open`);
  await signIn(page, superadmin.email);
  await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
  await expect.poll(() => page.url()).toBe(`${proxy.url}/issues?status=Open`);
  for (const { title, path } of Object.values(pages)) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(prefix + path);
  }
  await page.goto(`${proxy.url}/issues`);
  await live(page);
  // Whichever instance the page follows, an issue of each arrives.
  for (const { url } of [service, second])
    await clientWith(url, superadmin.cookie).call('issues.create', { title: `From ${url}`, severity: 'Low' });
  await page.getByRole('button', { name: '2 new' }).click();
  for (const { url } of [service, second]) await row(page, `From ${url}`).waitFor();
});
