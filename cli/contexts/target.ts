import type { Config } from '../../src/config.ts';
import { serverAddress } from '../access/server-address.ts';
import { NotFoundError } from '../errors.ts';
import { type Context, type Contexts, readContexts } from './contexts-file.ts';
import { askedTarget, type Named, type NamedConfig } from './named-target.ts';

/** The server that a command works through. */
export interface Target {
  /** Without the path of the API and without a slash at the end. */
  readonly server: string;
  /** Undefined if there is none; the server then answers 401. */
  readonly token: string | undefined;
  /** The name of the context that it is from, if it is from one. */
  readonly context: string | undefined;
  /** The colour of that context, if it has one. */
  readonly color: Context['color'];
}

type TargetConfig = NamedConfig & Pick<Config, 'serverToken' | 'contextsFile' | 'namesDatabase'>;

/**
 * Returns the server that a command works through, or undefined for the database: `--server` or `--context`, otherwise
 * BACKOFFICE_SERVER or BACKOFFICE_CONTEXT, otherwise the context in use, unless a variable names a database.
 *
 * @throws NotFoundError if there is no context of that name
 */
export async function findTarget(named: Named, config: TargetConfig): Promise<Target | undefined> {
  const asked = askedTarget(named, config);
  if (asked === undefined && config.namesDatabase) return undefined;
  const contexts = await readContexts(config.contextsFile);
  if (asked?.server !== undefined) return ofServer(asked.server, config.serverToken, contexts);
  const name = asked?.context ?? contexts.current;
  return name === null ? undefined : ofContext(name, contexts);
}

/** A server takes the token of the environment, or that of the context of the same address. */
function ofServer(address: string, token: string | undefined, { contexts }: Contexts): Target {
  const server = serverAddress(address);
  if (token !== undefined) return { server, token, context: undefined, color: undefined };
  const [name, context] = Object.entries(contexts).find(([, each]) => each.server === server) ?? [];
  return { server, token: context?.token, context: name, color: context?.color };
}

function ofContext(name: string, { contexts }: Contexts): Target {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (context === undefined) {
    throw new NotFoundError(
      `No context ${name}. Run \`backoffice context list\` to see all, or \`backoffice login\` to add one.`,
    );
  }
  const { server, token, color } = context;
  return { server, token, context: name, color };
}
