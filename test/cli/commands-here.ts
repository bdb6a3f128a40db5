import type { QueryResult } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Client } from '../../src/contract/client/client.ts';
import type { Role } from '../../src/contract/vocabulary.ts';
import { startTestService, type TestService } from '../support/here.ts';
import { withClient } from '../support/postgres/server.ts';
import type { Finished } from '../support/run/process.ts';
import { backoffice } from '../support/run.ts';

export type Environment = Record<string, string>;

/** The ways that a command goes. */
export const ways = ['on the database', 'through a server'] as const;
export type Way = (typeof ways)[number];

/** Runs a command. Its words have spaces between them; each text after them is one more argument, as it is. */
export type Run = (words: string, ...texts: readonly string[]) => Promise<Finished>;

/** The service of one test file, and commands that work on it. */
export interface Commands {
  readonly service: TestService;
  /** Signed in as grace@example.com, a superadmin. */
  readonly client: Client;
  /** Returns the environment of a command that goes this way, as a superadmin. */
  env(way: Way): Environment;
  /** Returns the environment of a command through the server, with the rights of a role. */
  envOf(role: Role): Promise<Environment>;
  /** Runs a command on the database. */
  readonly run: Run;
  /** Runs a command on the database that reads this from standard input. */
  runWith(stdin: string, ...words: Parameters<Run>): Promise<Finished>;
  /** Runs a command on the database, and returns what it prints as JSON. */
  printed(...words: Parameters<Run>): Promise<ReturnType<typeof JSON.parse>>;
  sql(text: string): Promise<QueryResult>;
}

/** Returns a function that runs commands in an environment, which it reads when it is called. */
export const runIn =
  (env: () => Environment, stdin = ''): Run =>
  (words, ...texts) =>
    backoffice([...words.split(' '), ...texts], { env: env(), stdin });

/** Starts a service before the tests of the calling file, and stops it after them. */
export function commandsHere(env: Environment = {}): Commands {
  let service: TestService;
  let client: Client;
  let remote: Environment;

  beforeAll(async () => {
    service = await startTestService(env);
    ({ client } = await service.signIn('superadmin', 'grace@example.com'));
    remote = await commands.envOf('superadmin');
  });
  afterAll(() => service?.stop());

  const local = () => ({ DATABASE_URL: service.databaseUrl, ...env });
  const commands: Commands = {
    get service() {
      return service;
    },
    get client() {
      return client;
    },
    env: (way) => (way === 'on the database' ? local() : remote),
    envOf: async (role) => ({
      BACKOFFICE_SERVER: service.url,
      BACKOFFICE_TOKEN: (await service.createToken(role)).secret,
    }),
    run: runIn(local),
    runWith: (stdin, ...words) => runIn(local, stdin)(...words),
    printed: async (...words) => JSON.parse((await commands.run(...words)).stdout),
    sql: (text) => withClient(service.databaseUrl, (database) => database.query(text)),
  };
  return commands;
}

/** What a command ends with that succeeds, and prints this line. */
export const done = (line: string) => ({ code: 0, stdout: `${line}\n` });

/** What a command ends with that fails with this code and sentence. */
export const failed = (code: number, sentence: string) => ({
  code,
  stdout: '',
  stderr: `backoffice: ${sentence}\n`,
});

/** What a command ends with that fails with this code, and says among others this. */
export const failedLike = (code: number, said: string | RegExp) => ({
  code,
  stdout: '',
  stderr: typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
});
