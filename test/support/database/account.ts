import { withClient } from './client.ts';

/** Adds an account that cannot sign in. A service without any account does not answer, even to a token. */
export async function addAccount(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `insert into admins (id, email, username, role, password_hash)
       values ('admin_1_nobody', 'nobody@example.com', 'Nobody', 'superadmin', '')`,
    ),
  );
}
