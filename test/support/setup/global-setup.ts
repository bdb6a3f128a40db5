import type { TestProject } from 'vitest/node';
import { migrateUp } from '../../../src/db/migrate/migrate.ts';
import {
  createRoles,
  dropRoles,
  startTemporaryServer,
  type TestRoles,
  type TestServer,
  withClient,
  withDatabase,
  withLogin,
} from '../postgres/server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a superuser on the server of the test databases. */
    adminUrl: string;
    /** The migrated database that each test database is copied from. */
    templateDatabase: string;
    /** The owner of its schema, and the role that serves. */
    roles: TestRoles;
  }
}

/**
 * Starts one Postgres for the whole run and migrates a template database on it. Set `TEST_DATABASE_URL` to the URL of a
 * superuser to use another server instead, such as one of the oldest supported version.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer();
  try {
    const roles = await withClient(server.adminUrl, createRoles);
    const templateDatabase = await createTemplate(server.adminUrl, roles);
    project.provide('roles', roles);
    project.provide('adminUrl', server.adminUrl);
    project.provide('templateDatabase', templateDatabase);
    return async () => {
      try {
        await dropTemplate(server.adminUrl, templateDatabase);
        await withClient(server.adminUrl, (client) => dropRoles(client, roles));
      } finally {
        await server.close();
      }
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function createTemplate(adminUrl: string, { owner, runtime }: TestRoles): Promise<string> {
  const name = `template_${crypto.randomUUID()}`;
  await withClient(adminUrl, (client) => client.query(`CREATE DATABASE "${name}" OWNER "${owner.name}"`));
  const url = withDatabase(adminUrl, name);
  await migrateUp({ databaseUrl: withLogin(url, owner), runtimeUrl: withLogin(url, runtime) });
  // A template that accepts no connections can be copied at any time, even by several test files at once.
  const options = 'WITH IS_TEMPLATE true ALLOW_CONNECTIONS false';
  await withClient(adminUrl, (client) => client.query(`ALTER DATABASE "${name}" ${options}`));
  return name;
}

async function dropTemplate(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`ALTER DATABASE "${name}" IS_TEMPLATE false`);
    await client.query(`DROP DATABASE "${name}"`);
  });
}

async function findServer(): Promise<TestServer> {
  const { TEST_DATABASE_URL: adminUrl } = process.env;
  return adminUrl ? { adminUrl, close: async () => undefined } : startTemporaryServer();
}
