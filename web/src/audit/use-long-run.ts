import { useEffect, useRef, useState } from 'react';
import { tellError } from '../parts/tell.ts';

type Work = (signal: AbortSignal, onProgress: (done: number) => void) => Promise<void>;

/**
 * Runs work over all entries, which tells how many are `done`; undefined while nothing runs. It ends early on demand, and
 * with the component.
 */
export function useLongRun(work: Work) {
  const [done, setDone] = useState<number>();
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);

  async function start(): Promise<void> {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setDone(0);
    try {
      await work(signal, setDone);
    } catch (error) {
      if (!signal.aborted) tellError(error as Error);
    }
    setDone(undefined);
  }

  return { done, start: () => void start(), cancel: () => ending.current?.abort() };
}
