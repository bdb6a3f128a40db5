import { isDiskFull } from './database-errors.ts';
import { inTransaction, withConnection } from './own-connection.ts';

/** The server keeps 2 MB of rows on its disk, because they do not fit into the memory that they may take. */
const probe = 'select count(*) from generate_series(1, 100000)';

/** Reports whether the server's disk has no room for a temporary file. Needs no rights, and leaves nothing behind. */
export async function isOutOfSpace(databaseUrl: string): Promise<boolean> {
  return await withConnection(databaseUrl, async (client) => {
    try {
      await inTransaction(client, async () => {
        await client.query(`set local work_mem = '64kB'`);
        await client.query(probe);
      });
      return false;
    } catch (error) {
      // Another error is another check's.
      return isDiskFull(error);
    }
  });
}
