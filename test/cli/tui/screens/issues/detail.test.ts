import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type IssueDetail, issueDetail } from '../../../../../cli/tui/screens/issues/detail.ts';
import { createHeldApp } from '../../../../support/run/dashboard-here.ts';

/** Longer than the cursor must stay on a row before its details load. */
const restMs = 100;

describe('the details of an issue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open() {
    const { app, calls } = createHeldApp();
    const shown: IssueDetail[] = [];
    const details = issueDetail(app, (detail) => shown.push(detail));
    const issueCalls = () => calls.filter(({ id }) => id === 'issues.list');
    /** Answers the calls of a load. */
    const answer = async (load: number, title: string) => {
      await calls[load * 3]?.answer({ issues: [{ title }] });
      await calls[load * 3 + 1]?.answer({ links: [] });
      await calls[load * 3 + 2]?.answer({ comments: [], nextCursor: null });
    };
    return { details, shown, calls, issueCalls, answer };
  }

  test('load again when they are shown again, and not while they are hidden', async () => {
    const { details, shown, calls, answer } = open();
    details.show(7);
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(3);
    await answer(0, 'Old title');
    details.show(7);
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(3);
    details.hide();
    details.show(7);
    details.hide();
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(3);
    details.show(7);
    // The old details stay until the new ones arrive.
    expect(shown.at(-1)).toMatchObject({ id: 7, issue: { title: 'Old title' } });
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(6);
    await answer(1, 'New title');
    expect(shown.at(-1)).toMatchObject({ id: 7, issue: { title: 'New title' } });
  });

  test('load at once and only once on a refresh', async () => {
    const { details, shown, calls, answer } = open();
    details.show(7);
    const refreshed = details.refresh();
    vi.advanceTimersByTime(restMs);
    expect(calls).toHaveLength(3);
    await answer(0, 'New title');
    await refreshed;
    expect(shown.at(-1)).toMatchObject({ issue: { title: 'New title' } });
  });

  test('ignore a late failure', async () => {
    const { details, shown, issueCalls, answer } = open();
    details.show(7);
    const refreshes = [details.refresh(), details.refresh()];
    await answer(1, 'New title');
    await issueCalls()[0]?.refuse('The service was away.');
    await Promise.all(refreshes);
    expect(shown.at(-1)).toMatchObject({ error: '', issue: { title: 'New title' } });
  });
});
