import type { Config } from '../../src/config.ts';
import { remark } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { type Context, type Contexts, knownContext, readContexts } from './contexts.ts';
import { askedTarget, type Named, type NamedConfig } from './named-target.ts';

/** The server that a command works on. */
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
 * Returns the server that a command works on, or undefined for the database: `--server` or `--context`, otherwise
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
  if (name === null) return undefined;
  const { server, token, color } = knownContext(contexts, name);
  return { server, token, context: name, color };
}

/** A server takes the token of the environment, or that of the context of the same address. */
function ofServer(address: string, token: string | undefined, { contexts }: Contexts): Target {
  const server = serverAddress(address);
  if (token !== undefined) return { server, token, context: undefined, color: undefined };
  const [name, context] = Object.entries(contexts).find(([, each]) => each.server === server) ?? [];
  return { server, token: context?.token, context: name, color: context?.color };
}

/**
 * Returns the address that the paths of the API are added to. People also copy it with the path of the API, or with that of
 * a page that has it: `https://backoffice.example.com/api/admin/`.
 */
export function serverAddress(text: string): string {
  return text.replace(/(\/+api(\/+admin)?)?\/*$/, '');
}

/** Warns if a variable decides what commands work on, and not the context that a person has just chosen. */
export function warnOfOverride(
  { server, context, namesDatabase }: NamedConfig & Pick<Config, 'namesDatabase'>,
  chosen: string,
): void {
  const variables = {
    BACKOFFICE_SERVER: server !== undefined,
    BACKOFFICE_CONTEXT: context !== undefined,
    'DATABASE_URL or BACKOFFICE_DATA': namesDatabase,
  };
  const [variable] = Object.entries(variables).find(([, isSet]) => isSet) ?? [];
  if (variable === undefined || (variable === 'BACKOFFICE_CONTEXT' && context === chosen)) return;
  remark(
    printable(
      `Warning: ${variable} is set, so commands do not use this context. Unset it, or add --context ${chosen} to them.`,
    ),
  );
}
