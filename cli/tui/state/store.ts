import { useSyncExternalStore } from 'react';

/** A state that is replaced, never mutated, and its listeners. */
export interface Store<State extends object> {
  get(): State;
  set(change: Partial<State>): void;
  /** Sets without notifying the listeners. The next `set` notifies them. */
  setQuietly(change: Partial<State>): void;
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
    setQuietly(change) {
      state = { ...state, ...change };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the state of a store. The component is drawn again when the state changes. */
export function useStore<State extends object>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get);
}
