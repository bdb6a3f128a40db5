import { readConfig } from '../../../src/config.ts';
import { type Contexts, readContexts } from '../../contexts/contexts-file.ts';
import { NotFoundError } from '../../errors.ts';

/** The contexts of this user, and the file that they are in. */
export interface OwnContexts extends Contexts {
  readonly file: string;
}

/** Reads the contexts of this user. */
export async function ownContexts(): Promise<OwnContexts> {
  const { contextsFile: file } = readConfig();
  return { ...(await readContexts(file)), file };
}

/** @throws NotFoundError if there is no context of that name */
export function checkContext({ contexts }: Contexts, name: string): void {
  if (Object.hasOwn(contexts, name)) return;
  throw new NotFoundError(
    `No context ${name}. Run \`backoffice context list\` to see all, or \`backoffice login\` to add one.`,
  );
}
