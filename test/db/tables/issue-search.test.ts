import { beforeEach, describe, expect, test } from 'vitest';
import { copyRows } from '../../../src/db/seed/seed.ts';
import { databaseHere } from '../../support/postgres.ts';

const own = databaseHere(1);

beforeEach(async () => {
  await own.client.query(`
    truncate issues, conversations, conversation_messages cascade;
    insert into issues (id, title, description) values (1, 'First', 'Über'), (2, 'Second', '');
    insert into conversations (id, visitor_name, visitor_email, subject)
    values ('conv_1', 'Ada', 'ada@example.com', 'Order'), ('conv_2', 'Bob', 'bob@example.com', '')
  `);
});

/** Returns the searched texts by id. */
async function textsOf(table: 'issue' | 'conversation'): Promise<Record<string, string>> {
  const { rows } = await own.client.query(`select ${table}_id as id, text from ${table}_search order by 1`);
  return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
}

/** Tells which rows have no text, a text without a row, or another text than they should. */
async function differences(): Promise<unknown[]> {
  const { rows } = await own.client.query(`
    select coalesce(id, issue_id) as id, text
    from issues full join issue_search on issue_id = id
    where text is distinct from issue_search_text(id, title, description, steps_to_reproduce, labels)
  `);
  const conversations = await own.client.query(`
    select coalesce(id, conversation_id) as id, text
    from conversations full join conversation_search on conversation_id = id
    where text is distinct from conversation_search_text(id, visitor_name, visitor_email, subject, labels)
  `);
  return [...rows, ...conversations.rows];
}

describe('the searched text of a row', () => {
  test('is there after an insert', async () => {
    expect(await textsOf('issue')).toEqual({ 1: '#1\nfirst\nuber\n', 2: '#2\nsecond\n\n' });
    expect(await textsOf('conversation')).toEqual({
      conv_1: 'conv_1\nada\nada@example.com\norder',
      conv_2: 'conv_2\nbob\nbob@example.com\n',
    });
  });

  test.for([
    `update issues set title = 'Changed' where id = 1`,
    `update issues set description = title, steps_to_reproduce = 'Éa'`,
    `update issues set id = id + 10`,
    `update issues set id = case id when 1 then 2000 else 1 end`,
    `insert into issues (id, title) values (1, 'Upserted'), (3, 'New')
     on conflict (id) do update set title = excluded.title`,
    `delete from issues where id = 1`,
    'delete from issues',
    'truncate issues',
    `merge into issues using (values (1::bigint), (9)) as given (id) on issues.id = given.id
     when matched then update set title = 'Merged' when not matched then insert (id, title) values (given.id, 'New')`,
    `update conversations set subject = 'Changed'`,
    `update conversations set id = id || 'x', visitor_name = 'Eve'`,
    `delete from conversations where id = 'conv_1'`,
    'truncate conversations cascade',
  ])('is right after: %s', async (change) => {
    await own.client.query(change);
    expect(await differences()).toEqual([]);
  });

  test('is right after a copy', async () => {
    const times = { created_at: '2026-03-01T00:00:00Z', updated_at: '2026-03-01T00:00:00Z' };
    const issue = { title: 'Copied', category: '', severity: '', description: 'x', steps_to_reproduce: '' };
    await own.client.query('delete from issues');
    await copyRows(own.client, 'issues', [{ ...issue, status: 'Open', ...times }]);
    const visitor = { visitor_email: 'x@example.com', visitor_name: 'X', subject: 'S', status: 'open' };
    await copyRows(own.client, 'conversations', [{ id: 'conv_3', ...visitor, ...times }]);
    expect(await differences()).toEqual([]);
    expect(Object.keys(await textsOf('conversation'))).toContain('conv_3');
  });

  test('is not written by changes of other columns', async () => {
    const versions = async () =>
      (await own.client.query('select issue_id, xmin, ctid from issue_search order by 1')).rows;
    const before = await versions();
    await own.client.query(`update issues set status = 'Closed', title = title`);
    expect(await versions()).toEqual(before);
  });

  test('has at most the first 100,000 characters of each text', async () => {
    await own.client.query(
      `insert into issues (id, title, description, steps_to_reproduce)
       values (3, repeat('é', 1000001), repeat('x', 1000001), repeat('東', 1000001))`,
    );
    const text = (await textsOf('issue'))[3] ?? '';
    expect(text.split('\n').map((part) => part.length)).toEqual([2, 100_000, 100_000, 400_000]);
  });
});

test('a text with any character can be folded', async () => {
  await own.client.query(`
    select search_text(string_agg('a' || chr(code), '')), search_pattern(string_agg(chr(code), ''))
    from generate_series(1, 131071) as code
    where code not between 55296 and 57343
    group by code / 30000
  `);
});
