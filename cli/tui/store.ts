import { useSyncExternalStore } from 'react';

/** A state that is replaced, never changed, and those who want to know of it. */
export interface Store<State extends object> {
  get(): State;
  set(change: Partial<State>): void;
  /** The same without telling anybody; the next `set` tells. */
  keep(change: Partial<State>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<State extends object>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    keep(change) {
      state = { ...state, ...change };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The state of a store, in a component: it is drawn anew when the state is another. */
export function useStore<State extends object>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get);
}
