import { useEffect, useRef, useSyncExternalStore } from 'react';

/** A value outside of the components, which they are drawn again for when it changes. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly use: () => T;
}

/** Creates a store with its first value. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const get = () => value;
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return {
    get,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}

/** Adds what a person may do, such as a shortcut, to what a store has of it, while the component is shown. */
export function useOffers<T extends { readonly run?: (() => void) | undefined }>(
  store: Store<readonly T[]>,
  offers: readonly T[],
): void {
  const latest = useRef(offers);
  useEffect(() => {
    latest.current = offers;
  });
  // The list changes with what it says; what the offers do may change with each rendering.
  const listed = JSON.stringify(offers);
  useEffect(() => {
    const added = offers.map(
      (offer, index): T => ({ ...offer, run: offer.run && (() => latest.current[index]?.run?.()) }),
    );
    store.set([...store.get(), ...added]);
    return () => store.set(store.get().filter((offer) => !added.includes(offer)));
  }, [store, listed]);
}
