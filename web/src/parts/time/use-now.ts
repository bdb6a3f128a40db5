import { useEffect } from 'react';
import { createStore } from '../../app/store.ts';

const stepMs = 30_000;
const now = createStore(Date.now());
let users = 0;
let timer: number | undefined;

/** Returns the time, which moves on every half minute. All that show it share one timer. */
export function useNow(): number {
  useEffect(() => {
    if (users++ === 0) {
      now.set(Date.now());
      timer = window.setInterval(() => now.set(Date.now()), stepMs);
    }
    return () => {
      if (--users === 0) window.clearInterval(timer);
    };
  }, []);
  return now.use();
}
