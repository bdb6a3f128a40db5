import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { withoutByteOrderMark } from '../../../src/shared/text.ts';
import { UsageError } from '../../errors.ts';
import { recordOf } from '../../input/record-of.ts';
import { type ActionId, actions } from './actions.ts';
import { conflictsOf, createKeymap, type Keymap, type Remapping } from './keymap.ts';
import { suggestActions } from './suggestions.ts';

const isId = (id: string): id is ActionId => actions.some((action) => action.id === id);
const keyForm =
  /^((ctrl|alt|shift)\+){0,2}(\S|up|down|left|right|pageup|pagedown|enter|esc|space|tab|home|end|backspace|delete|f[1-9]|f1[0-2])$/u;
const remapping = recordOf(z.string(), z.union([z.string().transform((key) => [key]), z.array(z.string())]));

/**
 * Returns the keys of this machine: the table's keys, replaced for each action that the file names, such as
 * `{ "issues.status": "c", "global.quit": ["Q", "ctrl+q"] }`.
 *
 * @param options.isOptional - uses the table's keys if the file does not exist
 * @throws UsageError that names the file and what is wrong with it
 */
export async function readKeymap(
  file: string,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Promise<Keymap> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UsageError(`Cannot read ${file} (${error.code}).`);
    if (!isOptional) throw new UsageError(`File not found: ${file}.`);
    return '{}';
  });
  const keymap = createKeymap(parseRemapping(withoutByteOrderMark(text), file));
  const [conflict] = conflictsOf(keymap);
  if (conflict !== undefined) throw new UsageError(`${file}: ${conflict}`);
  return keymap;
}

function parseRemapping(text: string, file: string): Remapping {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
  const parsed = remapping.safeParse(json);
  if (!parsed.success) {
    throw new UsageError(
      `${file} must be a JSON object of action names and keys, such as {"issues.status": ["c"]}.`,
    );
  }
  for (const [id, keys] of Object.entries(parsed.data)) {
    if (!isId(id)) {
      const suggestions = suggestActions(id, 3).join(', ');
      throw new UsageError(`${file}: unknown action: ${id}. Closest matches: ${suggestions}.`);
    }
    // Two strokes with a space between them are one key.
    const invalid = keys.find((key) => !key.split(' ').every((stroke) => keyForm.test(stroke)));
    if (invalid !== undefined) {
      throw new UsageError(
        `${file}: invalid key for ${id}: ${invalid}. Use a character, or a name such as ctrl+s, up, space or f5.`,
      );
    }
  }
  return parsed.data;
}
