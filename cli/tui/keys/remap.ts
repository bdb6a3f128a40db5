import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../../errors.ts';
import { type ActionId, actions } from './actions.ts';
import { conflictsOf, createKeymap, type Keymap, type Remapping } from './keymap.ts';
import { nearestActions } from './suggestions.ts';

const isId = (id: string): id is ActionId => actions.some((action) => action.id === id);
const keyForm =
  /^((ctrl|alt|shift)\+){0,2}(\S|up|down|left|right|pageup|pagedown|enter|esc|space|tab|home|end|backspace|delete)$/u;
const remapping = z.record(z.string(), z.union([z.string().transform((key) => [key]), z.array(z.string())]));

/**
 * The keys of this machine: those of the table, and others for the actions that the file names, such as
 * `{ "issues.status": "c", "global.quit": ["Q", "ctrl+q"] }`.
 *
 * @param options.isOptional - without the file, the keys are those of the table
 * @throws UsageError in a sentence that names the file and what is wrong in it
 */
export async function readKeymap(
  file: string,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Promise<Keymap> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UsageError(`${file} cannot be read (${error.code}).`);
    if (!isOptional) throw new UsageError(`There is no file ${file}.`);
    return '{}';
  });
  const keymap = createKeymap(parseRemapping(text, file));
  const [conflict] = conflictsOf(keymap);
  if (conflict !== undefined) throw new UsageError(`In ${file}, ${conflict}`);
  return keymap;
}

function parseRemapping(text: string, file: string): Remapping {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}.`);
  }
  const parsed = remapping.safeParse(json);
  if (!parsed.success) {
    throw new UsageError(`${file} must hold an object of actions and their keys: {"issues.status": ["c"]}.`);
  }
  for (const [id, keys] of Object.entries(parsed.data)) {
    if (!isId(id)) {
      const near = nearestActions(id, 3).join(', ');
      throw new UsageError(`In ${file}, there is no action ${id}: the nearest are ${near}.`);
    }
    const wrong = keys.find((key) => !keyForm.test(key));
    if (wrong !== undefined) {
      throw new UsageError(
        `In ${file}, ${id} has the key ${wrong}: it takes a character, or a name such as ctrl+s, up, space.`,
      );
    }
  }
  return parsed.data;
}
