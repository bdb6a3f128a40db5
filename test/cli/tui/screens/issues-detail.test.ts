import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { App } from '../../../../cli/tui/app.ts';
import { createThread } from '../../../../cli/tui/screens/conversations/thread.ts';
import { type IssueDetail, issueDetail } from '../../../../cli/tui/screens/issues/detail.ts';

/** An app whose calls are answered by the test, in whatever order it likes. */
function answeredByHand() {
  const asked: {
    readonly id: string;
    readonly answer: (output: object) => Promise<void>;
    readonly refuse: (sentence: string) => Promise<void>;
  }[] = [];
  const call = (id: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<object>();
    asked.push({
      id,
      answer(output) {
        resolve(output);
        return setImmediate();
      },
      refuse(sentence) {
        reject(new Error(sentence));
        return setImmediate();
      },
    });
    return promise;
  };
  const app = { call, explain: (error: Error) => error.message } as unknown as App;
  return { app, asked };
}

/** Longer than anybody has to rest on a row before it is loaded. */
const rested = 100;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the details of an issue', () => {
  function open() {
    const { app, asked } = answeredByHand();
    const seen: IssueDetail[] = [];
    const details = issueDetail(app, (detail) => seen.push(detail));
    const issues = () => asked.filter(({ id }) => id === 'issues.list');
    /** Answers both calls of a load. */
    const answer = async (load: number, title: string) => {
      await asked[load * 2]?.answer({ issues: [{ title }] });
      await asked[load * 2 + 1]?.answer({ links: [] });
    };
    return { details, seen, asked, issues, answer };
  }

  test('are loaded anew when they are shown again, and not while nobody sees them', async () => {
    const { details, seen, asked, answer } = open();
    details.show(7);
    vi.advanceTimersByTime(rested);
    expect(asked).toHaveLength(2);
    await answer(0, 'As it was');
    details.show(7);
    vi.advanceTimersByTime(rested);
    expect(asked).toHaveLength(2);
    details.leave();
    details.show(7);
    details.leave();
    vi.advanceTimersByTime(rested);
    expect(asked).toHaveLength(2);
    details.show(7);
    // What was seen stays until there is something newer.
    expect(seen.at(-1)).toMatchObject({ id: 7, issue: { title: 'As it was' } });
    vi.advanceTimersByTime(rested);
    expect(asked).toHaveLength(4);
    await answer(1, 'As it is');
    expect(seen.at(-1)).toMatchObject({ id: 7, issue: { title: 'As it is' } });
  });

  test('have been loaded where somebody waits for them, and only once', async () => {
    const { details, seen, asked, answer } = open();
    details.show(7);
    const refreshed = details.refresh();
    vi.advanceTimersByTime(rested);
    expect(asked).toHaveLength(2);
    await answer(0, 'As it is');
    await refreshed;
    expect(seen.at(-1)).toMatchObject({ issue: { title: 'As it is' } });
  });

  test('show no failure that is older than they are', async () => {
    const { details, seen, issues, answer } = open();
    details.show(7);
    const looks = [details.refresh(), details.refresh()];
    await answer(1, 'As it is');
    await issues()[0]?.refuse('The service was away.');
    await Promise.all(looks);
    expect(seen.at(-1)).toMatchObject({ error: '', issue: { title: 'As it is' } });
  });
});

describe('a thread', () => {
  test('shows no failure that is older than it is', async () => {
    const { app, asked } = answeredByHand();
    const thread = createThread(app);
    thread.show('conv_1');
    const looks = [thread.refresh(), thread.refresh()];
    await asked[1]?.answer({ conversation: null, messages: [], issues: [] });
    await asked[0]?.refuse('The service was away.');
    await Promise.all(looks);
    expect(thread.store.get()).toMatchObject({ phase: 'ready', error: '' });
  });
});
