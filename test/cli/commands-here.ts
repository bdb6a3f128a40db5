import { afterAll, beforeAll, expect } from 'vitest';
import type { Finding } from '../../cli/doctor/finding.ts';
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

/**
 * Runs a command. Its words have spaces between them. Words in quotes are one argument, and so is each text after them, as it
 * is.
 */
type Run = (words: string, ...texts: readonly string[]) => Promise<Finished>;

/** Returns the arguments of a line. */
export const argumentsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"(?= |$)|[^ ]+/g), ([word, quoted]) => quoted ?? word);

/** A text, or a matcher of it. */
type Said = string | RegExp | { asymmetricMatch(other: unknown): boolean };

/** Matches what contains the text. */
export const containing = (text: string): string => expect.stringContaining(text);

/** Returns what runs commands and checks how they end. */
export function checksOf(run: (words: string) => Promise<Finished>) {
  const matcher = (said: Said | undefined, before = '') => {
    if (said === undefined) return expect.any(String);
    if (typeof said === 'string') return said === '' ? said : `${before}${said}\n`;
    return said instanceof RegExp ? expect.stringMatching(said) : said;
  };
  const check = async (words: string, expected: object) => {
    const end = await run(words);
    expect(end).toMatchObject(expected);
    return end;
  };
  return {
    /** Runs a command, and expects that it succeeds and prints this line, or what matches, and that on standard error. */
    succeeds: (words: string, printed?: Said, said?: Said) =>
      check(words, { code: 0, stdout: matcher(printed), stderr: matcher(said) }),
    /** Runs a command, and expects that it prints nothing and fails with this code and sentence, or what matches. */
    fails: (code: number, words: string, said?: Said) =>
      check(words, { code, stdout: '', stderr: matcher(said, 'backoffice: ') }),
  };
}

/** Returns a function that runs commands in an environment, which it reads when it is called. */
export const runIn =
  (env: () => Environment, stdin = ''): Run =>
  (words, ...texts) =>
    backoffice([...argumentsOf(words), ...texts], { env: env(), stdin });

/**
 * Starts a service before the tests of the calling file, and stops it after them. Returns it, and what runs commands that
 * work on it.
 */
export function commandsHere(env: Environment = {}) {
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
  const run = runIn(local);
  const commands = {
    get service() {
      return service;
    },
    /** Signed in as grace@example.com, a superadmin. */
    get client() {
      return client;
    },
    /** Returns the environment of a command that goes this way, as a superadmin. */
    env: (way: Way): Environment => (way === 'on the database' ? local() : remote),
    /** Returns the environment of a command through the server, with the rights of a role. */
    envOf: async (role: Role) => ({
      BACKOFFICE_SERVER: service.url,
      BACKOFFICE_TOKEN: (await service.createToken(role)).secret,
    }),
    /** Runs a command on the database. */
    run,
    ...checksOf(run),
    /** Runs a command on the database that reads this from standard input. */
    runWith: (stdin: string, ...words: Parameters<Run>) => runIn(local, stdin)(...words),
    /** Runs a command on the database, and returns what it prints as JSON. */
    printed: async (...words: Parameters<Run>) => JSON.parse((await run(...words)).stdout),
    /** Queries the database directly. Returns the rows. */
    sql: (text: string) =>
      withClient(service.databaseUrl, async (database) => (await database.query(text)).rows),
  };
  return commands;
}

/** Runs the doctor. Returns its exit code and its findings, also by the name of the check. */
export async function examined(env: Environment, ...options: readonly string[]) {
  const { code, stdout } = await backoffice(['doctor', '--json', ...options], { env });
  const { checks }: { checks: Finding[] } = JSON.parse(stdout);
  return { code, stdout, checks, findings: Object.fromEntries(checks.map((each) => [each.check, each])) };
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
