import { type Config, ConfigError } from '../../src/config.ts';
import { leadsToPooler } from '../../src/db/connection/inspect-server.ts';

const itself = 'the address of the Postgres server itself';

/** What to do about a pooler, by the variable that leads to it. */
export const poolerAdvice = {
  DATABASE_URL: `Put it into DATABASE_POOL_URL, and set DATABASE_URL to ${itself}.`,
  DATABASE_OWNER_URL: `Set it to ${itself}.`,
};

/** URLs that lead to a server itself. Each is asked once. */
const direct = new Set<string>();

/**
 * Checks that the URLs that need a server itself do not lead to a pooler. Timeouts, locks, notifications and prepared
 * statements would be refused or get lost there.
 *
 * @returns whether the servers could be asked; while they are unreachable, whatever needs them reports that
 * @throws ConfigError if one leads to a pooler
 */
export async function refusePoolers({ databaseUrl, databaseOwnerUrl }: Config): Promise<boolean> {
  const urls = { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl };
  let isKnown = true;
  for (const [name, advice] of Object.entries(poolerAdvice)) {
    const url = urls[name as keyof typeof urls];
    if (url === undefined || direct.has(url)) continue;
    const isPooler = await leadsToPooler(url).catch(() => undefined);
    if (isPooler) throw new ConfigError(`${name} leads to a pooler. ${advice}`);
    if (isPooler === undefined) isKnown = false;
    else direct.add(url);
  }
  return isKnown;
}
