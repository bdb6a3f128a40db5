import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';
import { writeWhole } from '../../src/files/fill-file.ts';
import { locked } from '../../src/files/locked.ts';
import { withoutByteOrderMark } from '../../src/shared/text.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { recordOf } from '../input/record-of.ts';
import { contextColours } from './named-target.ts';

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
