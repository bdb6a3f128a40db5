import { useEffect, useId } from 'react';
import { createStore } from '../../app/store.ts';

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

/** Reports whether there is a dialog above the first one. */
export function isBelowDialog(): boolean {
  return openDialogs.get().length > 1;
}
