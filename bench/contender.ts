import { signIn } from './account.ts';
import { type Child, startChild } from './child.ts';

/** A server and the headers that each request needs. */
export interface Contender extends Child {
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the service with `backoffice serve`, as an operator does, and signs in. */
export async function startService(databaseUrl: string): Promise<Contender> {
  const child = await startChild(['bin/backoffice.js', 'serve'], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'info',
    SESSION_SECRET: 'a secret that only the benchmark uses',
  });
  return { ...child, headers: { cookie: await signIn(child.url) } };
}

/** Starts the baseline, which has no sign-in. */
export async function startBaseline(databaseUrl: string): Promise<Contender> {
  const child = await startChild(['bench/baseline.ts'], { DATABASE_URL: databaseUrl });
  return { ...child, headers: {} };
}
