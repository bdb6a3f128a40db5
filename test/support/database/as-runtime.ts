import { inject } from 'vitest';
import { withLogin } from './roles.ts';

/** Returns a superuser's URL of a test database as that of the runtime role. Other URLs stay as they are. */
export function asRuntime(url: string): string {
  return isSuperuser(url) ? withLogin(url, inject('roles').runtime) : url;
}

/** Returns it as that of the role that owns the schema. */
export function asOwner(url: string): string {
  return isSuperuser(url) ? withLogin(url, inject('roles').owner) : url;
}

/**
 * Returns the environment of a command that was meant to run as the superuser: it runs as the runtime role, and migrates as
 * the owner. An environment with DATABASE_OWNER_URL, which may be empty, stays as it is.
 */
export function withRoles(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { DATABASE_URL: url } = env;
  if (url === undefined || env.DATABASE_OWNER_URL !== undefined || !isSuperuser(url)) return { ...env };
  return { ...env, DATABASE_URL: asRuntime(url), DATABASE_OWNER_URL: asOwner(url) };
}

function isSuperuser(url: string): boolean {
  const { username, password } = new URL(inject('adminUrl'));
  const given = URL.parse(url);
  return given !== null && given.username === username && given.password === password;
}
