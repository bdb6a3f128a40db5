import { isDiskFull } from './database-errors.ts';
import { withConnection } from './own-connection.ts';

/** Reports whether the server's disk has no room for a new table. Creates a temporary one, which nobody else sees. */
export async function isOutOfSpace(databaseUrl: string): Promise<boolean> {
  return await withConnection(databaseUrl, async (client) => {
    try {
      await client.query('create temporary table backoffice_probe as select 1 as one');
      return false;
    } catch (error) {
      // Another error is another check's: the role may not create tables, or the server is read-only.
      return isDiskFull(error);
    }
  });
}
