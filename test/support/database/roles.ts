import type { Client } from 'pg';

/** The name and password of a role of the run's server. */
export interface Login {
  readonly name: string;
  readonly password: string;
}

/** The roles that the services of tests use, as installations do: one owns the schema, the other one serves. */
export interface TestRoles {
  readonly owner: Login;
  readonly runtime: Login;
}

export async function createRoles(client: Client): Promise<TestRoles> {
  const create = async (kind: string): Promise<Login> => {
    const login = { name: `${kind}_${crypto.randomUUID()}`, password: crypto.randomUUID() };
    await client.query(`create role "${login.name}" login password '${login.password}'`);
    return login;
  };
  return { owner: await create('owner'), runtime: await create('runtime') };
}

export async function dropRoles(client: Client, { owner, runtime }: TestRoles): Promise<void> {
  await client.query(`drop role "${runtime.name}", "${owner.name}"`);
}

/** Returns the URL with the credentials of a role. */
export function withLogin(url: string, { name, password }: Login): string {
  const changed = new URL(url);
  changed.username = name;
  changed.password = password;
  return changed.href;
}
