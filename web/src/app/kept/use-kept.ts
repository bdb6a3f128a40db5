import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '../session/session.ts';
import { keepText, keptKey, keptText, subscribeToTexts } from './kept-texts.ts';

/**
 * Returns something unfinished, such as the text of a form, and a function to change it. The browser keeps it for each
 * admin, over a closed tab and an ended session, until it is set to undefined. All tabs have the same.
 *
 * @param name - what it is; a component for another name needs a `key`
 */
export function useKept<T>(name: string): readonly [T | undefined, (value: T | undefined) => void] {
  const key = keptKey(useSession().admin.id, name);
  const text = useSyncExternalStore(subscribeToTexts, () => keptText(key));
  const value = useMemo(() => parse<T>(text), [text]);
  const keep = useCallback(
    (next: T | undefined) => keepText(key, next === undefined ? null : JSON.stringify(next)),
    [key],
  );
  return [value, keep];
}

function parse<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
