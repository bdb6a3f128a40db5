import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { didYouMean } from '../../../src/contract/did-you-mean.ts';
import { withoutByteOrderMark } from '../../../src/shared/text.ts';
import { UsageError } from '../../errors.ts';
import { recordOf } from '../../input/record-of.ts';
import type { App } from './app.ts';
import { actionNow } from './old-actions.ts';
import type { Action } from './types.ts';

/** Somebody's own keys, by the id of an action. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>;

/** What gets keys at the same time, the most specific first. */
export interface Keyboard {
  readonly title: string;
  readonly actions: readonly Action[];
  /** Characters are text there, and never keys. */
  readonly isText: boolean;
}

/** What terminals send. Shift is part of a character, and Ctrl-H, I, J and M are Backspace, Tab and Enter. */
const strokes = [
  '(ctrl\\+)?(alt\\+)?(shift\\+)?(up|down|left|right|pageup|pagedown|home|end|delete)',
  '(ctrl\\+)?(alt\\+)?(space|[a-gkln-z])',
  '(alt\\+)?(enter|backspace|tab)',
  'shift\\+tab',
  'esc',
  '(alt\\+)?[^\\p{C}[ ]',
  '\\[',
];
const stroke = new RegExp(`^(${strokes.join('|')})$`, 'u');

/** Reports whether a terminal can send the key. */
export const isKey = (key: string): boolean => key.split(' ').every((each) => stroke.test(each));

const shown: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  space: 'Space',
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  backspace: 'Backspace',
  delete: 'Del',
  home: 'Home',
  end: 'End',
};

/** Returns what people call a key: `Ctrl-S` for `ctrl+s`. */
export const keyName = (key: string): string =>
  key
    .split(' ')
    .map((stroke) => {
      const [, modifiers = '', last = ''] = /^((?:(?:ctrl|alt|shift)\+)*)(.+)$/.exec(stroke) ?? [];
      const words = modifiers
        .split('+')
        .filter(Boolean)
        .map((each) => `${each[0]?.toUpperCase()}${each.slice(1)}-`);
      return words.join('') + (shown[last] ?? (words.length > 0 ? last.toUpperCase() : last));
    })
    .join(' ');

/** Says what a key of the screen does, as in `Esc stops it`. Empty if the action has no key, or is refused. */
export function keyHint(
  app: Pick<App, 'screen' | 'common' | 'refusalOf' | 'keysOf'>,
  id: string,
  does: string,
): string {
  const found = [...app.screen().actions(), ...app.common()].find((each) => each.id === id);
  const [key] = found === undefined || app.refusalOf(found) !== undefined ? [] : app.keysOf(found);
  return key === undefined ? '' : `${keyName(key)} ${does}`;
}

const fileForm = recordOf(z.string(), z.union([z.string().transform((key) => [key]), z.array(z.string())]));

/**
 * Reads somebody's own keys, which replace those of an action: `{ "row.status": "T", "quit": ["Q", "ctrl+q"] }`. Names of an
 * earlier version stand for those of today.
 *
 * @throws UsageError that names the file
 */
export async function readOwnKeys(
  file: string,
  { isOptional }: { readonly isOptional: boolean },
): Promise<OwnKeys> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UsageError(`Cannot read ${file} (${error.code}).`);
    if (!isOptional) throw new UsageError(`File not found: ${file}.`);
    return '{}';
  });
  let json: unknown;
  try {
    json = JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
  const parsed = fileForm.safeParse(json);
  if (!parsed.success)
    throw new UsageError(
      `${file} must be a JSON object of action names and keys, such as {"row.status": ["T"]}.`,
    );
  const own = Object.entries(parsed.data).flatMap(([id, keys]) => {
    const now = actionNow(id);
    return now === null ? [] : [[now, keys] as const];
  });
  return Object.fromEntries(own);
}

/** Returns a sentence for the first mistake in somebody's own keys. */
export function keyMistake(own: OwnKeys, keyboards: readonly Keyboard[]): string | undefined {
  const ids = new Set(keyboards.flatMap(({ actions }) => actions.map(({ id }) => id)));
  for (const [id, keys] of Object.entries(own)) {
    if (!ids.has(id)) return `There is no action ${id}.${didYouMean(id, [...ids])}`;
    const wrong = keys.find((key) => !isKey(key));
    if (wrong !== undefined)
      return `No terminal sends ${wrong}, the key of ${id}. Use a character, or a name such as ctrl+s, up or space.`;
  }
  for (const keyboard of keyboards) {
    const conflict = conflictIn(keyboard, (action) => own[action.id] ?? action.keys);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

/** Returns a sentence for the first key that has two actions, or that begins the key of another. */
export function conflictIn(
  { title, actions, isText }: Keyboard,
  keysOf: (action: Action) => readonly string[],
): string | undefined {
  const taken = new Map<string, string>();
  for (const action of actions) {
    for (const key of keysOf(action)) {
      if (isText && [...key].length === 1) continue;
      const other = taken.get(key);
      if (other !== undefined && other !== action.id)
        return `${key} is the key of both ${other} and ${action.id} (${title}).`;
      taken.set(key, action.id);
    }
  }
  for (const [key, id] of taken) {
    const longer = [...taken.keys()].find((other) => other.startsWith(`${key} `));
    if (longer !== undefined)
      return `${key} is the key of ${id}, and begins ${longer}, the key of ${taken.get(longer)}.`;
  }
  return undefined;
}
