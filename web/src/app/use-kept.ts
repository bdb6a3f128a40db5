import { useState } from 'react';
import { useSession } from './session.ts';

/**
 * Returns something unfinished, such as the text of a form, and a function to change it. The browser keeps it for each
 * admin, over a closed tab and an ended session, until it is set to undefined.
 *
 * @param name - what it is; a component for another name needs a `key`
 */
export function useKept<T>(name: string): readonly [T | undefined, (value: T | undefined) => void] {
  const key = `backoffice.kept.${useSession().admin.id}.${name}`;
  const [value, setValue] = useState(() => read<T>(key));
  function keep(next: T | undefined): void {
    setValue(next);
    try {
      if (next === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // The storage is full or refused. The page still has it.
    }
  }
  return [value, keep];
}

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
