import { expect, test } from 'vitest';
import { accessibilityProblems, webHere } from '../support/page.ts';

const dashboard = webHere();

/** Asks for access, as a command line would. */
async function askForAccess(name: string) {
  const { client } = dashboard.backoffice.superadmin;
  return await client.call('device.create', { name });
}

const takeToken = (device_code: string) =>
  dashboard.backoffice.service.fetch('/api/admin/device/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ device_code }),
  });

test('a person approves a device, with the rights that were chosen', async () => {
  const asked = await askForAccess('laptop');
  expect(new URL(asked.verification_uri).pathname).toBe('/device');
  const admin = await dashboard.backoffice.service.signIn('admin');
  const page = await dashboard.open('/device', { as: admin, expected: [400] });
  await page.getByLabel('Code').fill('ABCD-EFGH');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').getByText('There is no device with this code.').waitFor();
  await page.getByLabel('Code').fill(asked.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('laptop').waitFor();
  await expect.poll(() => accessibilityProblems(page)).toEqual([]);
  await page.getByLabel('Read only').check();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'The device was approved' }).waitFor();
  const answer = await takeToken(asked.device_code);
  const { token } = (await answer.json()) as { token: string };
  const [stored] = await dashboard.backoffice.sql(
    'select role, read_only from api_tokens where owner_id = $1',
    [admin.id],
  );
  expect(stored).toEqual({ role: 'admin', read_only: true });
  const whoami = await dashboard.backoffice.service.fetch('/api/admin/session', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await whoami.json()).toMatchObject({ admin: { id: admin.id } });
});

test('a person denies a device', async () => {
  const asked = await askForAccess('stranger');
  const page = await dashboard.open(`/device?code=${asked.user_code}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'The device was denied' }).waitFor();
  expect(await (await takeToken(asked.device_code)).json()).toEqual({ error: 'access_denied' });
});
