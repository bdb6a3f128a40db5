import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useId } from 'react';
import { createStore } from '../app/store.ts';

/** The dialogs and drawers that are open, the top one last. */
const openDialogs = createStore<readonly string[]>([]);

/** Reports whether a dialog or a drawer, once it is open, is above all others: Escape is for that one alone. */
export function useIsOnTop(isOpen: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    openDialogs.set([...openDialogs.get(), id]);
    return () => openDialogs.set(openDialogs.get().filter((other) => other !== id));
  }, [id, isOpen]);
  return openDialogs.use().at(-1) === id;
}

/** Calls a function on Escape, unless something inside or above takes the key. */
export function useEscape(onEscape: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isTaken(event)) return;
    event.preventDefault();
    onEscape();
  });
}

/** Reports whether an open dialog, menu or list takes the key. */
export function isTaken({ target }: { readonly target: EventTarget | null }): boolean {
  return (
    document.querySelector('[role="dialog"][aria-modal="true"]') !== null ||
    (target instanceof Element && target.closest('[aria-expanded="true"], [role="menu"]') !== null)
  );
}

/** Gives the focus back, when the component goes, to what had it before. For dialogs that exist only while they are open. */
export function useReturnFocus(): void {
  // Not while it is drawn: a dialog before this one gives the focus back first.
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}
