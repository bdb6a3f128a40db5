import { withConnection } from '../connection/own-connection.ts';

/** Returns the role that connections to this URL have. Poolers and the role's settings may make it another than the URL's. */
export async function roleOf(databaseUrl: string): Promise<string> {
  return await withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<{ role: string }>('select current_user::text as role');
    const [found] = rows;
    if (found === undefined) throw new Error('The server returned no row.');
    return found.role;
  });
}
