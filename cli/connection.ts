import { userInfo } from 'node:os';
import { type Config, readConfig } from '../src/config.ts';
import { type InputOf, type OperationId, type OutputOf, operationOf } from '../src/contract/index.ts';
import { joinEmbeddedPostgres } from '../src/db/embedded/cluster.ts';
import { type Log, localOperator } from '../src/services/context.ts';
import { execute } from '../src/services/execute.ts';
import { type OpenServices, openServices } from '../src/services/open.ts';
import { StreamedJson } from '../src/services/streamed-json.ts';
import { remark } from './terminal.ts';

/** The URL of the configured database, or of the embedded one while it is joined. */
export interface JoinedDatabase {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** Finds the database: the one that DATABASE_URL names, or the embedded one, which starts where it does not run. */
export async function joinDatabase({ databaseUrl, dataDirectory }: Config): Promise<JoinedDatabase> {
  if (databaseUrl !== undefined) return { databaseUrl, close: async () => {} };
  const postgres = await joinEmbeddedPostgres({ dataDirectory, log: remark });
  return { databaseUrl: postgres.url, close: () => postgres.close() };
}

/** Runs something on the database's URL and leaves the database afterwards. */
export async function withDatabase<T>(use: (databaseUrl: string) => Promise<T>): Promise<T> {
  const database = await joinDatabase(readConfig());
  try {
    return await use(database.databaseUrl);
  } finally {
    await database.close();
  }
}

/** Runs something with the services, straight on the database. */
export async function withServices<T>(use: (services: OpenServices) => Promise<T>): Promise<T> {
  const { strictRoles, databaseReadUrl } = readConfig();
  return await withDatabase(async (databaseUrl) => {
    const services = openServices({ databaseUrl, databaseReadUrl, strictRoles, log: quietLog });
    try {
      return await use(services);
    } finally {
      await services.close();
    }
  });
}

/** Who runs the commands: the user of the operating system. */
export function operatorName(): string {
  return userInfo().username;
}

/** Runs an operation as the local operator. */
export async function run<Id extends OperationId>(
  services: OpenServices,
  id: Id,
  input: InputOf<Id>,
): Promise<OutputOf<Id>> {
  const call = {
    authenticate: async () => localOperator(operatorName()),
    readInput: async () => input,
    session: noSession,
    address: '',
    log: quietLog,
  };
  const output = await execute(operationOf(id), call, services);
  return (output instanceof StreamedJson ? JSON.parse(await output.text()) : output) as OutputOf<Id>;
}

/** A command says what went wrong in its own sentence; it keeps no log. */
const quietLog: Log = { error: () => {}, warn: () => {}, info: () => {} };

const noSession = {
  start: async () => {
    throw new Error('A command has no sign-in session.');
  },
  end: async () => {},
};
