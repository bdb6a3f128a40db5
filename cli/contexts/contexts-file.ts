import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../errors.ts';

/** The colours of the dashboard's header that a context can have. */
export const contextColours = ['red', 'amber', 'green', 'blue', 'violet', 'grey'] as const;

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
  contexts: z.record(z.string(), context),
});

export type Context = z.infer<typeof context>;
export type Contexts = z.infer<typeof contextsFile>;

/**
 * Reads the contexts of this user.
 *
 * @throws UsageError if the file is damaged
 */
export async function readContexts(file: string): Promise<Contexts> {
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes the contexts. Only this user can read the file, because it has tokens. It is never there in part. */
export async function writeContexts(file: string, contexts: Contexts): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(contexts, null, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
