import { useEffect, useRef } from 'react';
import { createStoredWord } from '../kept.ts';
import { createStore } from '../store.ts';
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

/** The shortcuts of a part of the page, under a title in the sheet. */
export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** The group of the shell. Those of a page come first. */
export const everywhere = 'Everywhere';

/** Returns groups with those of the page first. */
function pageFirst(all: readonly ShortcutGroup[]): readonly ShortcutGroup[] {
  return all.toSorted((a, b) => Number(a.title === everywhere) - Number(b.title === everywhere));
}

const groups = createStore<readonly ShortcutGroup[]>([]);

/** Returns the shortcuts of what is shown, those of the page first. */
export const useShortcutGroups = () => pageFirst(groups.use());

/**
 * Whether shortcuts of single characters work. Speech input types such characters by accident, so that people must be able
 * to turn them off (WCAG 2.1.4). This browser remembers it.
 */
export const shortcutsSwitch = createStoredWord('backoffice-shortcuts', ['on', 'off'], 'on');

/** Offers shortcuts while the component is shown, and lists them in the sheet under the title. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  // The list changes with the keys and their titles; what they do may change with each rendering.
  const listed = JSON.stringify(shortcuts);
  useEffect(() => {
    const group: ShortcutGroup = {
      title,
      shortcuts: shortcuts.map((shortcut, index) => ({
        ...shortcut,
        run: shortcut.run && (() => latest.current[index]?.run?.()),
      })),
    };
    groups.set([...groups.get(), group]);
    return () => groups.set(groups.get().filter((other) => other !== group));
  }, [title, listed]);
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
  return pageFirst(groups.get().toReversed())
    .flatMap(({ shortcuts }) => shortcuts)
    .find((one) => one.run && one.keys === keys && (!isInDialog || one.inDialogs));
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
