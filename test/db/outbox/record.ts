import type { Client } from 'pg';
import { sql } from 'slonik';
import type { OwnDatabase } from '../../support/postgres.ts';

/** Who makes the changes of these tests. */
export const who = { kind: 'operator', name: 'tests', door: 'cli', address: '' };

/** Records a new issue for each of the subjects, in the transaction of a client. */
export const record = (client: Client, subjects: readonly string[], origin: object = who) =>
  client.query(
    `insert into recorded_changes (origin, operation, event, subject_id, after)
     select $1, 'issues.create', 'issue.created', id, jsonb_build_object('title', id)
     from unnest($2::text[]) with ordinality as given (id, place) order by place`,
    [origin, subjects],
  );

/** Returns the subjects of the events. By the pool, because the clients of the tests publish before they read. */
export const publishedIn = async ({ pool }: OwnDatabase) =>
  (await pool.anyFirst(sql.unsafe`select subject_id from events order by id`)) as string[];
