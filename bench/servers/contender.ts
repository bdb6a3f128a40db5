import { signIn } from './account.ts';
import { type Child, startChild } from './child.ts';

/** A server and the headers that each request needs. */
export interface Contender extends Child {
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts the service with `backoffice serve`, as an operator does, and signs in. */
export async function startService(databaseUrl: string): Promise<Contender> {
  const child = await startServiceProcess(databaseUrl);
  return { ...child, headers: { cookie: await signIn(child.url) } };
}

/** Starts the service, and resolves when it listens. */
export async function startServiceProcess(databaseUrl: string): Promise<Child> {
  return await startChild('bin/backoffice.js', ['serve'], {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'info',
    BACKOFFICE_DRAIN_SECONDS: '0',
    SESSION_SECRET: 'a secret that only the benchmark uses',
  });
}

/**
 * Starts the baseline, which has no sign-in.
 *
 * @param trail - whether a change writes an event and an audit record
 */
export async function startBaseline(databaseUrl: string, { trail = false } = {}): Promise<Contender> {
  const child = await startChild(process.execPath, ['bench/servers/baseline.ts'], {
    DATABASE_URL: databaseUrl,
    TRAIL: trail ? '1' : '0',
  });
  return { ...child, headers: {} };
}

/** Starts two servers, runs `use` on them, and stops them. */
export async function withContenders<T>(
  [starting, alsoStarting]: readonly [Promise<Contender>, Promise<Contender>],
  use: (a: Contender, b: Contender) => Promise<T>,
): Promise<T> {
  const [a, b] = await Promise.all([starting, alsoStarting]);
  try {
    return await use(a, b);
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
}
