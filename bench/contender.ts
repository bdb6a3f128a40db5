import { signIn } from './account.ts';
import { type Child, startChild } from './child.ts';

/** A server together with the headers that it wants with each request. */
export interface Contender extends Child {
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the service as an operator does, with `backoffice serve`, and signs in. */
export async function startService(databaseUrl: string): Promise<Contender> {
  const child = await startChild(['bin/backoffice.js', 'serve'], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'info',
    SESSION_SECRET: 'a secret of the benchmark and only its own',
  });
  return { ...child, headers: { cookie: await signIn(child.url) } };
}

/** Starts the floor, which lets anyone in. */
export async function startFloor(databaseUrl: string): Promise<Contender> {
  const child = await startChild(['bench/floor.ts'], { DATABASE_URL: databaseUrl });
  return { ...child, headers: {} };
}
