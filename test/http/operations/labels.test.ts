import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/client/client.ts';
import { backofficeHere } from '../../support/here.ts';
import { duringTransaction, untilBlocked } from '../../support/postgres.ts';

const backoffice = backofficeHere();
const call: Client['call'] = (...args) => backoffice.superadmin.client.call(...args);

const nouns = ['issues', 'conversations'] as const;
type Noun = (typeof nouns)[number];
type LabelSet = { readonly add_labels?: string[]; readonly remove_labels?: string[] };

beforeEach(async () => {
  await backoffice.sql('delete from issues');
  await backoffice.sql('delete from conversations');
  await backoffice.sql('delete from labels');
  await backoffice.sql(`insert into issues (id, title) values (1, 'One'), (2, 'Two'), (3, 'Three')`);
  await backoffice.sql(`select setval('issues_id_seq', 1000)`);
  await backoffice.sql(
    `insert into conversations (id, visitor_email, visitor_name)
     select id, 'v@example.com', 'V' from unnest(array['1', '2', '3']) as id`,
  );
});

/** Changes the labels of rows with these numbers. */
async function change(noun: Noun, ids: readonly number[], set: LabelSet) {
  return noun === 'issues'
    ? await call('issues.update', { ids: [...ids], set })
    : await call('conversations.update', { ids: ids.map(String), set });
}

async function rowsOf(noun: Noun, filter: object = {}) {
  const query = new URLSearchParams({ include: 'labels', ...filter });
  const { body } = await backoffice.api.get(`/${noun}?${query}`);
  return (body as Record<Noun, readonly { id: number | string; labels: string[] }[]>)[noun];
}

const labelsOf = async (noun: Noun, id: number) =>
  (await rowsOf(noun)).find((row) => Number(row.id) === id)?.labels;

const numbersOf = async (noun: Noun, filter: object) =>
  (await rowsOf(noun, filter)).map(({ id }) => Number(id)).toSorted();

const eventOf = async (type: string) => (await call('events.list', { types: type, limit: 1 })).events.at(-1);

describe.for(nouns)('the labels of %s', (noun) => {
  test('are in answers only where they are included, as the last field', async () => {
    await change(noun, [1], { add_labels: ['urgent'] });
    expect(JSON.stringify((await backoffice.api.get(`/${noun}`)).body)).not.toContain('label');
    const [row] = await rowsOf(noun, { limit: 1, label: 'urgent' });
    expect(Object.keys(row ?? {}).at(-1)).toBe('labels');
    const both = await backoffice.api.get(`/${noun}?include=assignee,labels&label=urgent`);
    expect((both.body as Record<Noun, object[]>)[noun]).toMatchObject([
      { assignee: null, labels: ['urgent'] },
    ]);
  });

  test('are added and removed, sorted, and each once, spelled as it was first written anywhere', async () => {
    await call('issues.create', { title: 'Four', labels: ['Key Account'] });
    await change(noun, [1, 2], { add_labels: ['urgent', ' key account ', 'KEY account'] });
    expect(await labelsOf(noun, 1)).toEqual(['Key Account', 'urgent']);
    await change(noun, [1], { add_labels: ['apps'], remove_labels: ['URGENT', 'unknown'] });
    expect(await labelsOf(noun, 1)).toEqual(['apps', 'Key Account']);
    expect(await labelsOf(noun, 2)).toEqual(['Key Account', 'urgent']);
  });

  test('select rows: any of them, in any case, those without, and with words, also of the labels', async () => {
    await change(noun, [1], { add_labels: ['Billing'] });
    await change(noun, [2], { add_labels: ['Größe unklar'] });
    for (const [label, found, q = ''] of [
      ['billing,GRÖßE unklar', [1, 2]],
      ['none,billing', [1, 3]],
      ['unknown', []],
      ['', [1, 2, 3]],
      ['billing', [1], noun === 'issues' ? 'One' : 'example'],
      ['', [2], 'unklar GROSSE'],
    ] as const)
      expect(await numbersOf(noun, { label, q }), `${label} ${q}`).toEqual(found);
    const counted = await backoffice.api.get(`/${noun}?label=billing,größe unklar&count=1&limit=1`);
    expect(counted.body).toMatchObject({ total: 2, nextCursor: expect.any(String) });
  });

  test('are counted as a change only where they differ, and recorded as one field', async () => {
    await change(noun, [1], { add_labels: ['urgent'] });
    const done = await change(noun, [1, 2], { add_labels: ['urgent'] });
    expect(done).toMatchObject({ matched: 2, changed: 1, unchanged: 1 });
    await change(noun, [2], { add_labels: ['billing'], remove_labels: ['urgent'] });
    const { history } = await call(`${noun}.history`, { id: '2' });
    expect(history).toMatchObject([
      { field: 'labels', before: 'urgent', after: 'billing' },
      { field: 'labels', before: null, after: 'urgent' },
    ]);
    const set = { add_labels: ['billing'], remove_labels: ['urgent'] };
    expect((await eventOf(`${noun}.updated`))?.data).toMatchObject({ set, count: 1 });
  });

  test('are put back by an undo, only where nobody has changed them since', async () => {
    await change(noun, [1, 2], { add_labels: ['urgent'] });
    const done = await change(noun, [1, 2], { add_labels: ['billing'], remove_labels: ['urgent'] });
    await change(noun, [2], { add_labels: ['later'] });
    const undone = await call('changes.undo', { change_id: done.change_id ?? 0 });
    expect(undone).toMatchObject({ restored: 1, left: 1 });
    expect(await labelsOf(noun, 1)).toEqual(['urgent']);
    expect(await labelsOf(noun, 2)).toEqual(['billing', 'later']);
  });

  test('can be added to the same row by four callers at once', async () => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((label) => change(noun, [1], { add_labels: [label, 'both'] })),
    );
    expect(await labelsOf(noun, 1)).toEqual(['a', 'b', 'both', 'c', 'd']);
  });
});

describe('a label with letters of two forms', () => {
  const [nfc, nfd] = ['Caf\u00e9', 'Cafe\u0301'];

  test.for(nouns)('is one label of %s', async (noun) => {
    await change(noun, [1], { add_labels: [nfd] });
    await change(noun, [1, 2], { add_labels: [nfc, nfd.toLowerCase()] });
    expect((await call('labels.list')).labels.map(({ name }) => name)).toEqual([nfc]);
    expect(await labelsOf(noun, 2)).toEqual([nfc]);
    for (const label of [nfc, nfd]) expect(await numbersOf(noun, { label }), label).toEqual([1, 2]);
    await change(noun, [1], { remove_labels: [nfd] });
    expect(await numbersOf(noun, { label: nfd })).toEqual([2]);
  });

  test('is found, removed and used again as SQL or an older version wrote it', async () => {
    await backoffice.sql('insert into labels (name) values ($1)', [nfd]);
    await backoffice.sql('update issues set labels = array[$1] where id < 3', [nfd]);
    expect(await numbersOf('issues', { label: nfc.toLowerCase() })).toEqual([1, 2]);
    await change('issues', [1, 3], { add_labels: [nfc] });
    expect(await call('labels.list')).toMatchObject({ labels: [{ name: nfd, issues: 3 }] });
    await change('issues', [2], { remove_labels: [nfc] });
    expect(await numbersOf('issues', { label: nfd })).toEqual([1, 3]);
    expect(await call('labels.rename', { name: nfc, new_name: nfd })).toMatchObject({ issues: 2 });
    expect(await call('labels.list')).toMatchObject({ labels: [{ name: nfc, issues: 2 }] });
  });

  test('whose lower case differs by its form is found too', async () => {
    const names = ['iade', 'i\u0307ade', '\u0130ade', 'I\u0307ade'];
    await backoffice.sql('insert into labels (name) values ($1), ($2)', names.slice(0, 2));
    for (const name of names)
      expect(await change('issues', [1], { add_labels: [name] })).toMatchObject({ matched: 1 });
    await backoffice.sql('delete from labels where name = $1', [names[0]]);
    expect(await change('issues', [2], { add_labels: names })).toMatchObject({ changed: 1 });
  });

  test('that is there twice stays two labels until somebody renames it', async () => {
    await backoffice.sql('insert into labels (name) values ($1), ($2)', [nfc, nfd]);
    await backoffice.sql('update issues set labels = array[$1] where id = 1', [nfc]);
    await backoffice.sql('update issues set labels = array[$1] where id = 2', [nfd]);
    for (const label of [nfc, nfd]) expect(await numbersOf('issues', { label }), label).toEqual([1, 2]);
    await change('issues', [2, 3], { add_labels: [nfd] });
    expect(await labelsOf('issues', 2)).toEqual([nfc]);
    await backoffice.sql('update issues set labels = array[$1] where id = 2', [nfd]);
    expect(await call('labels.delete', { name: nfd })).toMatchObject({ issues: 1 });
    expect(await call('labels.list')).toMatchObject({ labels: [{ name: nfc, issues: 2 }] });
    await backoffice.sql('insert into labels (name) values ($1)', [nfd]);
    await backoffice.sql('update issues set labels = array[$1] where id = 2', [nfd]);
    expect(await call('labels.rename', { name: nfd, new_name: nfc })).toMatchObject({ issues: 1 });
    expect(await call('labels.list')).toMatchObject({ labels: [{ name: nfc, issues: 3 }] });
  });
});

test('a new issue has labels, and says so in its event', async () => {
  const { id } = await call('issues.create', { title: 'Five', labels: ['urgent', 'Billing'] });
  const labels = ['Billing', 'urgent'];
  expect(await labelsOf('issues', id)).toEqual(labels);
  expect(await eventOf('issue.created')).toMatchObject({ data: { title: 'Five', labels } });
});

test('issues are changed by their labels', async () => {
  await change('issues', [1, 2], { add_labels: ['invoices'] });
  const set = { add_labels: ['billing'], remove_labels: ['invoices'] };
  const bulk = { filter: { label: 'Invoices' }, set };
  expect(await call('issues.update', bulk)).toMatchObject({ changed: 2, remaining: 0 });
  expect(await numbersOf('issues', { label: 'billing' })).toEqual([1, 2]);
});

describe('the list of labels', () => {
  const labels = async () => (await call('labels.list')).labels;
  const rename = (name: string, new_name: string) => call('labels.rename', { name, new_name });

  test('has each in the order of the alphabet, with its rows, also those that SQL wrote', async () => {
    await change('issues', [1, 2], { add_labels: ['urgent', 'Billing'] });
    await change('conversations', [1], { add_labels: ['billing', 'apps'] });
    await change('conversations', [1], { remove_labels: ['apps'] });
    await backoffice.sql(`update issues set labels = '{by hand}' where id = 3`);
    expect(await labels()).toEqual([
      { name: 'apps', issues: 0, conversations: 0 },
      { name: 'Billing', issues: 2, conversations: 1 },
      { name: 'by hand', issues: 1, conversations: 0 },
      { name: 'urgent', issues: 2, conversations: 0 },
    ]);
  });

  test('renames a label everywhere, which can be undone', async () => {
    await change('issues', [1, 2], { add_labels: ['invoices', 'urgent'] });
    await change('conversations', [1], { add_labels: ['invoices'] });
    const done = await rename('INVOICES', 'Billing');
    expect(done).toMatchObject({ issues: 2, conversations: 1, change_ids: { length: 2 } });
    expect(await labelsOf('issues', 1)).toEqual(['Billing', 'urgent']);
    expect(await labelsOf('conversations', 1)).toEqual(['Billing']);
    expect(await labels()).toMatchObject([{ name: 'Billing' }, { name: 'urgent' }]);
    await call('changes.undo', { change_id: done.change_ids[0] ?? 0 });
    expect(await labelsOf('issues', 1)).toEqual(['invoices', 'urgent']);
    expect(await labels()).toMatchObject([{ name: 'Billing' }, { name: 'invoices' }, { name: 'urgent' }]);
  });

  test('merges a label into another, and spells one differently', async () => {
    await change('issues', [1], { add_labels: ['invoices'] });
    await change('issues', [1, 2], { add_labels: ['billing'] });
    expect(await rename('invoices', 'Billing')).toMatchObject({ issues: 1 });
    expect(await labelsOf('issues', 1)).toEqual(['billing']);
    expect(await rename('billing', 'Billing')).toMatchObject({ issues: 2 });
    expect(await labelsOf('issues', 2)).toEqual(['Billing']);
    expect(await labels()).toEqual([{ name: 'Billing', issues: 2, conversations: 0 }]);
  });

  test('deletes a label everywhere; an unknown one succeeds', async () => {
    await change('issues', [1], { add_labels: ['billing', 'urgent'] });
    expect(await call('labels.delete', { name: 'Billing' })).toMatchObject({ issues: 1, conversations: 0 });
    expect(await labelsOf('issues', 1)).toEqual(['urgent']);
    const nothing = { success: true, issues: 0, conversations: 0, change_ids: [] };
    expect(await call('labels.delete', { name: 'billing' })).toEqual(nothing);
    expect(await rename('billing', 'other')).toEqual(nothing);
  });

  test('of more rows than one call changes is neither renamed nor deleted', async () => {
    await backoffice.sql(`insert into labels (name) values ('many')`);
    await backoffice.sql(
      `insert into issues (title, severity, labels) select 'Many', 'Low', '{many}' from generate_series(1, 10001)`,
    );
    const refusal = 'More than 10,000 issues or conversations have this label.';
    await expect(rename('many', 'few')).rejects.toThrow(refusal);
    await expect(call('labels.delete', { name: 'many' })).rejects.toThrow(refusal);
    expect(await labels()).toMatchObject([{ issues: 10_001 }]);
  });

  test('waits for a change that adds the label, and takes it off its row', async () => {
    await change('issues', [1], { add_labels: ['billing'] });
    await duringTransaction(backoffice, ['select from labels for key share'], async (other) => {
      const deletion = call('labels.delete', { name: 'billing' });
      await untilBlocked(backoffice);
      await other.query(`update issues set labels = '{billing}' where id = 2; commit`);
      expect(await deletion).toMatchObject({ issues: 2 });
    });
    expect(await numbersOf('issues', { label: 'billing' })).toEqual([]);
  });
});
