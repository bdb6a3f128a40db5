import type { Key } from 'ink';
import { graphemesOf } from '../../terminal/cells.ts';

/** One key press: its name in the table of keys, and its character if it has one. */
export interface Stroke {
  readonly key: string;
  readonly text?: string;
}

const named = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageDown', 'pagedown'],
  ['pageUp', 'pageup'],
  ['home', 'home'],
  ['end', 'end'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
  ['tab', 'tab'],
  ['return', 'enter'],
] as const satisfies readonly (readonly [keyof Key, string])[];

/** Returns the key presses of one Ink input event. Several keys may arrive as one, for example over a slow line. */
export function strokesOf(input: string, key: Key): Stroke[] {
  if (key.escape) return [{ key: 'esc' }];
  const modifiers = `${key.ctrl ? 'ctrl+' : ''}${key.meta ? 'alt+' : ''}`;
  const found = named.find(([flag]) => key[flag]);
  if (found !== undefined) return [{ key: `${modifiers}${key.shift ? 'shift+' : ''}${found[1]}` }];
  if (modifiers !== '') return [{ key: modifiers + (input === ' ' ? 'space' : input) }];
  return graphemesOf(input).map(strokeOf);
}

function strokeOf(character: string): Stroke {
  if (character === ' ') return { key: 'space', text: ' ' };
  if (character === '\r' || character === '\n' || character === '\r\n') return { key: 'enter' };
  if (character === '\t') return { key: 'tab' };
  if (character === '\u001B') return { key: 'esc' };
  const code = character.charCodeAt(0);
  if (code < 0x20) return { key: `ctrl+${String.fromCharCode(code + 0x60)}` };
  return { key: character, text: character };
}
