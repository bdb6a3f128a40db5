import { expect, test } from 'vitest';
import { auditRecordsOf } from '../support/here/rows.ts';
import { backofficeHere } from '../support/here.ts';

const backoffice = backofficeHere();

test('a new field is created, filtered, changed in bulk, recorded, compared, undone and documented', async () => {
  const { client } = backoffice.superadmin;
  const list = async (input: object) => (await client.call('issues.list', input)) as { issues: object[] };
  const { id } = await client.call('issues.create', { title: 'One', component: 'Checkout' });
  await client.call('issues.create', { title: 'Two' });
  expect(await list({})).toMatchObject({ issues: [{ component: '' }, { component: 'Checkout' }] });
  expect(await list({ component: 'Checkout', limit: 5 })).toMatchObject({ issues: [{ id }] });

  const filter = { component: 'Checkout' };
  const { change_id } = await client.call('issues.update', { filter, set: { component: 'Search' } });
  expect((await auditRecordsOf(backoffice, 'issues.update')).at(-1)).toMatchObject({
    event: 'issues.updated',
    after: { set: { component: 'Search' } },
  });
  expect(await client.call('issues.history', { id })).toMatchObject({
    history: [{ field: 'component', before: 'Checkout', after: 'Search' }],
  });
  const stale = client.call('issues.update', { ids: [id], set: { component: 'X' }, expected: filter });
  await expect(stale).rejects.toThrow('Changed meanwhile: component is now Search.');
  const empty = client.call('issues.update', { ids: [id], set: { component: '' } });
  await expect(empty).rejects.toThrow('set.component must be a text that is not empty.');
  await client.call('changes.undo', { change_id: Number(change_id) });
  expect(await list({ component: 'Checkout' })).toMatchObject({ issues: [{ id }] });
  const document = await (await backoffice.service.fetch('/api/openapi.json')).text();
  expect(document).toContain('The part of the website that it is about.');
});
