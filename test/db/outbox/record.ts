import type { Client } from 'pg';
import { sql } from 'slonik';
import type { OwnDatabase } from '../../support/postgres.ts';

/** Who makes the changes of these tests. */
export const who = { kind: 'operator', name: 'tests', door: 'cli', address: '' };

/** Records a new issue for each of the subjects, in the transaction of a client. */
export const record = (client: Client, subjects: readonly string[], origin: object = who) =>
  client.query('select record_changes($1, $2, $3)', [
    origin,
    'issues.create',
    JSON.stringify(subjects.map((id) => ({ event: 'issue.created', id, after: { title: id } }))),
  ]);

/** Returns the subjects of the events. By the pool, because the clients of the tests publish before they read. */
export const publishedIn = async ({ pool }: OwnDatabase) =>
  (await pool.anyFirst(sql.unsafe`select subject_id from events order by id`)) as string[];
