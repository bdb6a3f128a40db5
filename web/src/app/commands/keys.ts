/** The key that one holds for a command: ⌘ on keyboards of Apple, Ctrl on all others. */
export const commandKey = /^(Mac|iP)/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Begins with a character that Latin layouts do not have. Names of keys, such as `Enter`, do not. */
const isForeign = /^[^\p{Script_Extensions=Latin}\p{Script_Extensions=Common}]/u;

/** What a keyboard event says of its key. */
interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
}

/**
 * Returns what a shortcut is compared with: what the key types or, on a layout without Latin letters, what it types on the
 * US layout.
 */
export function pressedKey({ key, code, shiftKey }: Pressed): string {
  if (!isForeign.test(key)) return key;
  if (code === 'Slash') return shiftKey ? '?' : '/';
  const [, letter = key] = /^Key([A-Z])$/.exec(code) ?? [];
  return shiftKey ? letter : letter.toLowerCase();
}
