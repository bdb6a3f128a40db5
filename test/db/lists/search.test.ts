import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isEmptySearch } from '../../../src/contract/empty-search.ts';
import { searchIndexes } from '../../../src/db/lists/search-indexes.ts';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import { queryRows } from '../../support/postgres/seeded.ts';
import { createEmptyDatabase, databaseHere } from '../../support/postgres.ts';

const own = databaseHere(1);

beforeEach(async () => {
  await own.sql(`
    truncate issues, conversations, conversation_messages cascade;
    insert into issues (id, title, description) values (1, 'First', 'Über'), (2, 'Second', '');
    insert into conversations (id, visitor_name, visitor_email, subject)
    values ('conv_1', 'Ada', 'ada@example.com', 'Order')
  `);
});

/** Returns the searched texts by id. */
async function textsOf(table: 'issue' | 'conversation'): Promise<Record<string, string>> {
  const rows = await own.sql(`select ${table}_id as id, text from ${table}_search order by 1`);
  return Object.fromEntries(rows.map(({ id, text }) => [id, text]));
}

/** Tells which rows have no text, a text without a row, or another text than they should. */
async function differences() {
  return await own.sql(`
    select coalesce(id, issue_id)::text as id, text from issues full join issue_search on issue_id = id
    where text is distinct from issue_search_text(id, title, description, steps_to_reproduce, labels)
    union all
    select coalesce(id, conversation_id), text from conversations full join conversation_search on conversation_id = id
    where text is distinct from conversation_search_text(id, visitor_name, visitor_email, subject, labels)
  `);
}

describe('the searched text of a row', () => {
  test('is there after an insert', async () => {
    expect(await textsOf('issue')).toEqual({ 1: '#1\nfirst\nuber\n', 2: '#2\nsecond\n\n' });
    expect(await textsOf('conversation')).toEqual({ conv_1: 'conv_1\nada\nada@example.com\norder' });
  });

  test.for([
    `update issues set description = title, steps_to_reproduce = 'Éa' where id = 1`,
    `update issues set id = case id when 1 then 2000 else 1 end`,
    `insert into issues (id, title) values (1, 'Upserted'), (3, 'New')
     on conflict (id) do update set title = excluded.title`,
    `delete from issues where id = 1`,
    'truncate issues',
    `update conversations set id = id || 'x', visitor_name = 'Eve'`,
    `delete from conversations where id = 'conv_1'`,
    'truncate conversations cascade',
  ])('is right after: %s', async (change) => {
    await own.sql(change);
    expect(await differences()).toEqual([]);
  });

  test('is not written by changes of other columns', async () => {
    const versions = () => own.sql('select issue_id, xmin, ctid from issue_search order by 1');
    const before = await versions();
    await own.sql(`update issues set status = 'Closed', title = title`);
    expect(await versions()).toEqual(before);
  });

  test('has at most the first 100,000 characters of each text', async () => {
    await own.sql(
      `insert into issues (id, title, description, steps_to_reproduce)
       values (3, repeat('é', 1000001), repeat('x', 1000001), repeat('東', 1000001))`,
    );
    const text = (await textsOf('issue'))[3] ?? '';
    expect(text.split('\n').map((part) => part.length)).toEqual([2, 100_000, 100_000, 400_000]);
  });
});

test('a text with any character can be folded', async () => {
  await own.sql(`
    select search_text(string_agg('a' || chr(code), '')), search_pattern(string_agg(chr(code), ''))
    from generate_series(1, 131071) as code
    where code not between 55296 and 57343
    group by code / 30000
  `);
});

test.each(['insufficient_privilege', 'undefined_file', 'feature_not_supported'])(
  'where the extension cannot be created (%s), migrations stop before the first one and say how to install it',
  async (condition) => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    await queryRows(
      empty,
      `create function refuse_extension() returns event_trigger language plpgsql as $$
       begin
         raise exception 'no extension' using errcode = '${condition}';
       end
       $$;
       create event trigger refuse_extension on ddl_command_start when tag in ('CREATE EXTENSION')
       execute function refuse_extension()`,
    );
    await expect(migrateUp({ databaseUrl: empty.url })).rejects.toThrow(
      'The extension pg_trgm is missing: have an administrator run `create extension pg_trgm` in this database, ' +
        'with the package postgresql-contrib installed on the server.',
    );
    expect(await queryRows(empty, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
  },
);

test('an extension in another schema, lost indexes and what an interrupted build leaves are no hindrance', async () => {
  /** The indexes that searches can use and whose lists of new entries are short. */
  const usable = () =>
    own.sql(`
      select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where relname like '%search_text_idx' and indisvalid and reloptions = '{gin_pending_list_limit=256}'
      order by relname collate "C"
    `);
  const all = searchIndexes.map(({ name }) => ({ name })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(await usable()).toEqual(all);
  await own.sql(`
    drop extension pg_trgm cascade;
    create schema extra;
    grant usage on schema extra to public;
    create extension pg_trgm schema extra;
    create index issue_search_text_idx on issue_search using gin (text extra.gin_trgm_ops);
    update pg_index set indisvalid = false where indexrelid = 'issue_search_text_idx'::regclass;
    create index conversation_search_text_idx on conversation_search using gin (text extra.gin_trgm_ops)
  `);
  const lines: string[] = [];
  expect(await migrateUp({ databaseUrl: own.url, log: (line) => lines.push(line) })).toEqual([]);
  expect(lines).toContain('Creating the index issue_search_text_idx');
  expect(await usable()).toEqual(all);
});

test('a search of what Postgres leaves nothing of is an empty one', async () => {
  const characters = Array.from({ length: 0xffff }, (_, index) => index + 1).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );
  const rows = await own.sql(`
    select code from unnest(array[${characters}]) as code where btrim(search_text(chr(code)), E' \\t\\n\\x0b\\f\\r') = ''
  `);
  const ignored = rows.map(({ code }) => code);
  expect(ignored.length).toBeGreaterThan(300);
  expect(characters.filter((code) => isEmptySearch(String.fromCharCode(code)))).toEqual(
    expect.arrayContaining(ignored),
  );
});
