import { useEffect } from 'react';
import { createStoredWord } from '../kept.ts';
import { createStore, useOffers } from '../store.ts';
import { pressedKey } from './keys.ts';

/** A key, or two keys one after the other, that does something on the page. */
export interface Shortcut {
  /** What `pressedKey` returns: `?`, `c`, or `g i` for two keys. */
  readonly keys: string;
  /** What it does, such as `Report an issue`. */
  readonly title: string;
  /** Undefined if the focused part handles the key itself, such as a table the arrows. It is only listed then. */
  readonly run?: (() => void) | undefined;
  /** Whether it works while a dialog is open. */
  readonly inDialogs?: boolean;
}

/** A shortcut, and the title in the sheet that it is listed under. */
interface ListedShortcut extends Shortcut {
  readonly group: string;
}

/** The group of the shell. Those of a page come first. */
export const everywhere = 'Everywhere';

function pageFirst(all: readonly ListedShortcut[]): readonly ListedShortcut[] {
  return all.toSorted((a, b) => Number(a.group === everywhere) - Number(b.group === everywhere));
}

const offered = createStore<readonly ListedShortcut[]>([]);

/** Returns the shortcuts of what is shown, those of the page first. */
export const useOfferedShortcuts = () => pageFirst(offered.use());

/**
 * Whether shortcuts of single characters work. Speech input types such characters by accident, so that people must be able
 * to turn them off (WCAG 2.1.4). This browser remembers it.
 */
export const shortcutsSwitch = createStoredWord('backoffice-shortcuts', ['on', 'off'], 'on');

/** Offers shortcuts while the component is shown, and lists them in the sheet under the title. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  useOffers(
    offered,
    shortcuts.map((shortcut) => ({ ...shortcut, group: title })),
  );
}

/** For how long the first of two keys counts. */
const sequenceMs = 1_500;

/** Listens to the keys. The shell calls it once. */
export function useShortcutKeys(): void {
  useEffect(() => {
    let first = { key: '', at: 0 };
    function onKeyDown(event: KeyboardEvent): void {
      if (shortcutsSwitch.get() === 'off' || !isForShortcuts(event)) return;
      const key = pressedKey(event);
      const isSecond = first.key !== '' && event.timeStamp - first.at < sequenceMs;
      const found = (isSecond ? find(`${first.key} ${key}`) : undefined) ?? find(key);
      first = found === undefined ? { key, at: event.timeStamp } : { key: '', at: 0 };
      if (found === undefined) return;
      event.preventDefault();
      found.run?.();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Returns the shortcut of the keys, of what was shown last first and of the shell last; in a dialog only what works there. */
function find(keys: string): Shortcut | undefined {
  const isInDialog = document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
  return pageFirst(offered.get().toReversed()).find(
    (one) => one.run && one.keys === keys && (!isInDialog || one.inDialogs),
  );
}

/** Reports whether a key is nobody else's: nothing has handled it, and nobody types into a field. */
function isForShortcuts(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  return (
    !target.isContentEditable &&
    target.closest('input, textarea, select, [role="menu"], [role="listbox"]') === null
  );
}
