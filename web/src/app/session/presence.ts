import { useSyncExternalStore } from 'react';

/** How long a person counts as being there after the last key, touch or movement. */
const presentMs = 60_000;
const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel'];

/** Opening the page is the first sign. */
let seenAt = Date.now();

function onSign(run: () => void): () => void {
  for (const type of signs) addEventListener(type, run, { capture: true, passive: true });
  return () => {
    for (const type of signs) removeEventListener(type, run, { capture: true });
  };
}

onSign(() => (seenAt = Date.now()));

/** Reports whether a person is at this page, and not only the page itself is active. */
export function isPersonThere(): boolean {
  return Date.now() - seenAt < presentMs;
}

/** Returns whether a person is at this page. It is drawn again when one comes back, not when one leaves. */
export const useIsPersonThere = (): boolean => useSyncExternalStore(onSign, isPersonThere);
