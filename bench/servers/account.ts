import { pino } from 'pino';
import { ensureFirstAdmin } from '../../src/services/first-admin.ts';
import { openServices } from '../../src/services/open.ts';

const account = { email: 'bench@example.com', password: 'the password of the benchmark' };

/** Creates the account that the benchmark signs in with, in a database without admins. */
export async function createAccount(databaseUrl: string): Promise<void> {
  const log = pino({ level: 'silent' });
  const services = openServices({
    databaseUrl,
    strictRoles: false,
    passwordMinLength: 12,
    allowPrivateWebhooks: false,
    encryptionKeys: [],
    publicUrl: 'http://localhost',
    mailFrom: { name: '', address: 'bench@localhost' },
    sessionIdleSeconds: 1_800,
    log,
  });
  try {
    await ensureFirstAdmin(services, account, log);
  } finally {
    await services.close();
  }
}

/** Signs in over HTTP and returns the `Cookie` header of the session. */
export async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0];
  if (!response.ok || cookie === undefined) throw new Error(`Sign-in failed with status ${response.status}.`);
  return cookie;
}
