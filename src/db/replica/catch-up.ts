import { createBackoff } from '../../shared/waiting/backoff.ts';
import { wait } from '../../shared/waiting/wait.ts';

/**
 * How long a read waits for a replica that lags. A replica in the same network is behind by 1 to 5 ms while the primary
 * writes. A longer wait would slow down reads more than the replica saves, so the primary answers instead.
 */
export const catchUpMs = 50;

/** Asks until the replica has caught up, at most for `catchUpMs` after the first answer. Returns the last answer. */
export async function catchUp<Answer>(
  ask: () => Promise<Answer>,
  isBehind: (answer: Answer) => boolean,
): Promise<Answer> {
  let answer = await ask();
  const startedAt = performance.now();
  const pause = createBackoff({ firstMs: 1, maxMs: 8 });
  while (isBehind(answer) && performance.now() - startedAt < catchUpMs) {
    await wait(pause.next());
    answer = await ask();
  }
  return answer;
}
