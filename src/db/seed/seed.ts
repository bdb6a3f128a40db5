import { pipeline } from 'node:stream/promises';
import { type Client, DatabaseError } from 'pg';
import { from } from 'pg-copy-streams';
import type { ExampleTable } from '../tables/example-data.ts';

/**
 * Reserves the database for this seed until the connection ends. Returns false if another seed has reserved it: the rows
 * of two would mix.
 */
export async function reserveForSeed(connection: BulkConnection): Promise<boolean> {
  return await ask(connection, `pg_try_advisory_lock(hashtext('backoffice'), hashtext('seed'))`);
}

/** Reports whether the tables exist. */
export async function hasTables(connection: BulkConnection): Promise<boolean> {
  return await ask(connection, `to_regclass('public.issues') is not null`);
}

/** Reports whether there is any issue or conversation. */
export async function hasContent(connection: BulkConnection): Promise<boolean> {
  return await ask(connection, 'exists (select 1 from issues) or exists (select 1 from conversations)');
}

async function ask(connection: BulkConnection, condition: string): Promise<boolean> {
  const { rows } = await connection.query<{ answer: boolean }>(`select ${condition} as answer`);
  return rows[0]?.answer === true;
}

/** Adds rows that violate no unique constraint, as example data, and returns how many. The first row says which columns they have. */
export async function insertMissing(
  connection: BulkConnection,
  table: 'saved_replies' | 'settings',
  rows: readonly Row[],
): Promise<number> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  const key = table === 'settings' ? 'setting_key' : 'id';
  const { rows: added } = await connection.query<{ id: string }>(
    `insert into ${table} (${columns})
     select ${columns} from json_populate_recordset(null::${table}, $1) on conflict do nothing
     returning ${key}::text as id`,
    [JSON.stringify(rows)],
  );
  await noteExamples(connection, table, idsOf(added));
  return added.length;
}

/** Remembers rows as example data, which can be removed. */
export async function noteExamples(
  connection: BulkConnection,
  table: ExampleTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query('insert into example_data (table_name, row_ids) values ($1, $2)', [table, ids]);
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Reserves ids for rows, in ascending order, from the sequence of their table. */
export async function takeIds(
  connection: BulkConnection,
  table: 'conversation_messages' | 'issues',
  count: number,
): Promise<string[]> {
  const { rows } = await connection.query<{ id: string }>(
    `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)`,
    [table, count],
  );
  return idsOf(rows);
}

/**
 * Links some of the latest conversations to the first issue of the next 30 days that has their subject as its title.
 *
 * @returns how many links it added
 */
export async function linkIssues(connection: BulkConnection, by: string): Promise<number> {
  const { rowCount } = await connection.query(
    `insert into issue_links (issue_id, conversation_id, created_by, created_at)
     select issue.id, conversation.id, $1, issue.created_at
     from (
       select * from conversations where subject <> '' order by updated_at desc, id desc limit 1000
     ) as conversation
     cross join lateral (
       select id, created_at from issues
       where title = conversation.subject
         and created_at between conversation.created_at and conversation.created_at + interval '30 days'
       order by created_at, id
       limit 1
     ) as issue
     order by issue.created_at, conversation.id`,
    [by],
  );
  return rowCount ?? 0;
}

type Subject = 'issue' | 'conversation';

/** What the team works on, by subject. */
const unsettled: Readonly<Record<Subject, string>> = {
  issue: `issues where status in ('Open', 'In Progress') order by created_at desc, id desc`,
  conversation: `conversations where status in ('open', 'pending') order by updated_at desc, id desc`,
};

/**
 * Assigns two thirds of the latest unsettled issues or conversations to the active admins, in turn.
 *
 * @returns how many it assigned, none if there is no admin
 */
export async function assignLatest(connection: BulkConnection, subject: Subject): Promise<number> {
  const { rowCount } = await connection.query(`
    with team as (
      select id, row_number() over (order by created_at, id) - 1 as place, count(*) over () as size
      from admins where is_active = 1
    ), latest as (
      select id, row_number() over () as place from (select id from ${unsettled[subject]} limit 60) as latest
    )
    update ${subject}s as subject set assignee_id = team.id
    from latest join team on team.place = latest.place % team.size
    where subject.id = latest.id and latest.place % 3 <> 0`);
  return rowCount ?? 0;
}

/**
 * Gives two thirds of the latest unsettled issues or conversations labels, the sets in turn.
 *
 * @returns how many it gave labels
 */
export async function labelLatest(
  connection: BulkConnection,
  subject: Subject,
  sets: readonly (readonly string[])[],
): Promise<number> {
  const { rows: added } = await connection.query<{ id: string }>(
    `insert into labels (name) select distinct unnest(labels_of(set)) from unnest($1::text[]) as set
     on conflict do nothing returning name as id`,
    [sets.map((labels) => labels.join(', '))],
  );
  await noteExamples(connection, 'labels', idsOf(added));
  const { rowCount } = await connection.query(
    `with given as (
      select labels_of(labels) as labels, place - 1 as place, count(*) over () as size
      from unnest($1::text[]) with ordinality as given (labels, place)
    ), latest as (
      select id, row_number() over () as place from (select id from ${unsettled[subject]} limit 60) as latest
    )
    update ${subject}s as subject set labels = given.labels
    from latest join given on given.place = latest.place % given.size
    where subject.id = latest.id and latest.place % 3 <> 1`,
    [sets.map((labels) => labels.join(', '))],
  );
  return rowCount ?? 0;
}

/**
 * Adds each comment to one of the latest unsettled issues or conversations.
 *
 * @returns how many it added
 */
export async function commentOnLatest(
  connection: BulkConnection,
  subject: Subject,
  comments: readonly Row[],
): Promise<number> {
  const { rows } = await connection.query<{ id: string; at: string }>(
    `select id, updated_at::text as at from ${unsettled[subject]} limit $1`,
    [comments.length],
  );
  const added = rows.map(({ id, at }, place) => ({
    [`${subject}_id`]: id,
    ...comments[place],
    created_at: at,
    updated_at: at,
  }));
  await copyRows(connection, 'comments', added);
  return added.length;
}

/** A dedicated connection for bulk loads: the pool of the service has no COPY and a statement timeout. */
export type BulkConnection = Client;

/** Values by column. Times are ISO 8601 texts. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Reports whether the error is a unique violation (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505';
}

/** Copies rows into a table. The first row says which columns they have; the other columns get their defaults. */
export async function copyRows(
  connection: BulkConnection,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  const copy = connection.query(from(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline([encode(columns, rows)], copy);
}

/** Encodes rows in the text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html). */
function encode(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => `${columns.map((column) => encodeValue(row[column])).join('\t')}\n`);
  return lines.join('');
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function encodeValue(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return '\\N';
  return String(value).replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}
