import { connectDatabases } from '../../../src/db/replica/databases.ts';
import { createApiToken } from '../http/api-tokens.ts';

/** Creates an API token of a superadmin in a database. */
export async function createTokenIn(databaseUrl: string): Promise<string> {
  const databases = connectDatabases({ databaseUrl });
  try {
    const { secret } = await createApiToken(databases.primary, {
      name: 'tests',
      role: 'superadmin',
      createdBy: 'tests',
      expiresAt: null,
    });
    return secret;
  } finally {
    await databases.close();
  }
}
