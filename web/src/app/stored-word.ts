import { createStore, type Store } from './store.ts';

/** Creates a store whose value this browser remembers, and that follows the other tabs. */
export function createStoredWord<Word extends string>(
  key: string,
  words: readonly Word[],
  first: Word,
): Store<Word> {
  const known = (text: string | null) => words.find((word) => word === text) ?? first;
  const store = createStore(known(read(key)));
  window.addEventListener('storage', (event) => {
    if (event.key === key) store.set(known(event.newValue));
  });
  return {
    ...store,
    set(word) {
      store.set(word);
      write(key, word);
    },
  };
}

// A browser may refuse its storage. The value then lasts as long as the page.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // As above.
  }
}
