import { sentenceOf } from '../../failures.ts';
import { createCalls, type GuardedCallOptions } from '../refresh/calls.ts';
import type { App } from '../state/app.ts';

/** The calls of the dashboard, whose changes are in its log. */
export type RecordedCalls = Pick<App, 'call' | 'asOne'>;

export function createRecordedCalls(app: App, options: Omit<GuardedCallOptions, 'record'>): RecordedCalls {
  const { log, target } = app;
  return {
    call: createCalls({
      ...options,
      record: (id, input) => log.begin(id, input, target, app.now(), app.visitorOf),
    }),
    async asOne(what, work) {
      const refusal = options.refusal();
      if (refusal !== undefined) throw new Error(refusal);
      const group = log.beginGroup(what, target, app.now());
      try {
        const result = await work(createCalls({ ...options, record: group.begin }));
        group.succeeded();
        return result;
      } catch (error) {
        group.failed(sentenceOf(error));
        throw error;
      }
    },
  };
}
