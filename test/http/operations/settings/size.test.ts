import { expect, test } from 'vitest';
import { errorResponse } from '../../../support/here/requests.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

test('rejects an update that would exceed 16 MiB of settings, and changes nothing', async () => {
  const { api, sql } = backoffice;
  // The longest value that a request may write.
  const longest = 'x'.repeat(100_000);
  await sql(
    `insert into settings (setting_key, setting_value) select 'k' || n, $1 from generate_series(1, 167) as n`,
    [longest],
  );
  const tooMuch = errorResponse(409, 'The settings would exceed 16 MiB in total. Remove some first.');
  expect(await api.put('/settings', { updates: { small: 'v', large: longest } })).toEqual(tooMuch);
  expect(await sql(`select from settings where setting_key in ('small', 'large')`)).toEqual([]);
  expect((await api.put('/settings', { key: 'small', value: 'v' })).status).toBe(200);
  // Replacing a value of the same size exceeds nothing.
  expect((await api.put('/settings', { key: 'k1', value: longest })).status).toBe(200);
  expect((await api.delete('/settings?key=k2')).status).toBe(200);
  expect((await api.put('/settings', { key: 'large', value: longest })).status).toBe(200);
});
