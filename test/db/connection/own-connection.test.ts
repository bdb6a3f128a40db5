import { expect, test } from 'vitest';
import { withConnection } from '../../../src/db/connection/own-connection.ts';
import { databaseHere } from '../../support/postgres.ts';

const database = databaseHere();

test('a connection that breaks between two queries says why', async () => {
  const work = withConnection(database.url, async (connection) => {
    const { rows } = await connection.query('select pg_backend_pid() as id');
    const ended = new Promise<void>((resolve) => connection.once('end', resolve));
    await database.client.query('select pg_terminate_backend($1)', [rows[0].id]);
    await ended;
    await connection.query('select 1');
  });
  await expect(work).rejects.toThrow('terminating connection due to administrator command');
});
