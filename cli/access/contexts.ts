import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Config, readConfig } from '../../src/config.ts';
import { writeWhole } from '../../src/files/fill-file.ts';
import { locked } from '../../src/files/locked.ts';
import { withoutByteOrderMark } from '../../src/shared/text.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { recordOf } from '../input/record-of.ts';
import { remark } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { askedTarget, contextColours, type Named } from './access.ts';

/** A server that somebody has signed in to. */
const context = z.object({
  server: z.string(),
  token: z.string(),
  /** The e-mail address of the account that the token acts as; null for a token without an owner. */
  email: z.string().nullable(),
  /** Absent for the colour of every other context. A colour of a newer version counts as absent. */
  color: z.enum(contextColours).optional().catch(undefined),
});

const contextsFile = z.object({
  /** The name of the context that commands use; null for none. */
  current: z.string().nullable(),
  contexts: recordOf(z.string(), context),
});

export type Context = z.infer<typeof context>;
export type Contexts = z.infer<typeof contextsFile>;

/**
 * Reads the contexts of this user.
 *
 * @throws UsageError if the file is damaged
 */
export async function readContexts(file = readConfig().contextsFile): Promise<Contexts> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`Cannot read ${file} (${error.code}).`);
  });
  if (text === undefined) return { current: null, contexts: {} };
  const parsed = contextsFile.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new UsageError(`${file} is damaged. Delete it, then run \`backoffice login\` again.`);
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
}

/**
 * Changes the contexts as they are now: other commands may change them too. Returns them. Only this user can read the tokens
 * in the file.
 */
export async function changeContexts(change: (found: Contexts) => Contexts): Promise<Contexts> {
  const { contextsFile: file } = readConfig();
  return await locked(file, async () => {
    const contexts = change(await readContexts(file));
    await writeWhole(file, `${JSON.stringify(contexts, null, 2)}\n`);
    return contexts;
  });
}

/**
 * Returns a context.
 *
 * @throws NotFoundError if there is none of that name
 */
export function knownContext({ contexts }: Contexts, name: string): Context {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (context !== undefined) return context;
  throw new NotFoundError(
    `No context ${name}. Run \`backoffice context list\` to see all, or \`backoffice login\` to add one.`,
  );
}

/** @throws NotFoundError if there is no context of that name */
export async function removeContext(name: string): Promise<void> {
  await changeContexts((found) => {
    knownContext(found, name);
    const { [name]: _removed, ...contexts } = found.contexts;
    return { current: found.current === name ? null : found.current, contexts };
  });
}

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

type TargetConfig = Named & Pick<Config, 'serverToken' | 'contextsFile' | 'namesDatabase'>;

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
  { server, context, namesDatabase }: Named & Pick<Config, 'namesDatabase'>,
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
