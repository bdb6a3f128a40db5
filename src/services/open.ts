import { connectDatabases } from '../db/connect.ts';
import { openPlainPool, type PlainPool } from '../db/plain-pool.ts';
import type { Log, Services } from './context.ts';
import { createPasswordHasher } from './passwords.ts';
import { createSignInLimits } from './sign-in-limits.ts';

export interface OpenOptions {
  readonly databaseUrl: string;
  readonly databaseReadUrl?: string | undefined;
  readonly strictRoles: boolean;
  readonly sessionIdleSeconds: number;
  readonly log: Log;
}

export interface OpenServices extends Services {
  /** For the libraries that bring SQL of their own. */
  readonly plainPool: PlainPool;
  /** Closes every connection and thread. */
  close(): Promise<void>;
}

/** Puts the services together. Nothing connects before it is used, so this needs no database. */
export function openServices(options: OpenOptions): OpenServices {
  const { databaseUrl, databaseReadUrl, strictRoles, sessionIdleSeconds, log } = options;
  const onConnectionError = (err: Error) => log.warn({ err }, 'database connection lost');
  const databases = connectDatabases({ databaseUrl, databaseReadUrl, onConnectionError });
  const plainPool = openPlainPool({ databaseUrl, onConnectionError });
  const passwords = createPasswordHasher();
  return {
    databases,
    passwords,
    signInLimits: createSignInLimits(plainPool),
    strictRoles,
    sessionIdleSeconds,
    plainPool,
    async close() {
      await Promise.all([databases.close(), plainPool.end(), passwords.close()]);
    },
  };
}
