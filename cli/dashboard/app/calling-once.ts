import { newIdempotencyKey } from '../../../src/contract/client/retry.ts';
import type { AnsweredId, InputOf } from '../../../src/contract/registry.ts';
import { isNotConnected } from '../../failures.ts';
import type { App } from './app.ts';

/**
 * Returns a function that adds something by an operation. Called again with the same input, it has the same key: what it
 * adds is there once, although nobody knows what became of the first call.
 *
 * @param done - what has become of it then, such as `sent`
 */
export function callingOnce<Id extends AnsweredId>(app: Pick<App, 'call' | 'explain'>, id: Id, done: string) {
  let last = { input: '', key: '' };
  return async (input: InputOf<Id>) => {
    const text = JSON.stringify(input);
    if (text !== last.input) last = { input: text, key: newIdempotencyKey() };
    try {
      return await app.call(id, input, last.key);
    } catch (error) {
      if (!isNotConnected(error)) throw error;
      const sentence = `${app.explain(error)} Whether it was ${done} is not known. Sent again unchanged, it arrives once.`;
      throw new Error(sentence, { cause: error });
    }
  };
}
