import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { createClient } from '../../src/contract/client/client.ts';
import { openPage, type Window } from './window.ts';

/** The events of an hour with one each second. */
const events = 3_600;
const parts = 10;
/** How many a second: an hour takes 20 seconds. */
const rate = 180;
/** How many pages of the list are loaded before, as after some use. */
const loadedPages = 10;

export interface Memory {
  readonly events: number;
  /** The megabytes of the page's objects after each tenth of the events, without garbage. */
  readonly heapMb: readonly number[];
}

/** Measures the memory of an open page over an hour of events: changed and new issues, comments and visitors' messages. */
export async function measureMemory(window: Window): Promise<Memory> {
  const page = await openPage(window, '/issues?view=all&issue=1');
  await page.getByRole('tab', { name: 'Comments' }).waitFor();
  await loadPages(page);
  const debuggerSession = await page.context().newCDPSession(page);
  const cause = causeOf(window);
  const heapMb: number[] = [];
  for (let part = 0; part < parts; part += 1) {
    for (let n = 0; n < events / parts; n += rate / 10) {
      const due = pause(100);
      await Promise.all(Array.from({ length: rate / 10 }, (_event, index) => cause(n + index)));
      await due;
    }
    // Let the page receive the last events, and load what they change.
    await pause(1_500);
    heapMb.push(await heapOf(debuggerSession));
  }
  await page.context().close();
  return { events, heapMb };
}

/** Shows the end of what is loaded of the list, which loads more, until enough is loaded. */
async function loadPages(page: Page): Promise<void> {
  let loaded = 0;
  page.on('requestfinished', (request) => {
    if (request.url().includes('cursor=')) loaded += 1;
  });
  const grid = page.getByRole('grid', { name: 'Issues' });
  while (loaded < loadedPages - 1) {
    await grid.press('End');
    await pause(100);
  }
}

/** Returns a function that makes a change, which is an event. */
function causeOf({ url, cookie }: Window): (n: number) => Promise<unknown> {
  const client = createClient({
    baseUrl: url,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('cookie', cookie);
      return fetch(input, { ...init, headers });
    },
  });
  const statuses = ['Open', 'In Progress', 'Resolved', 'Closed'];
  let turn = 0;
  return async (n) => {
    turn += 1;
    if (n % 10 === 0)
      return await client.call('issues.create', { title: `New ${turn}`, description: 'It is broken.' });
    if (n % 10 === 1)
      return await client.call('comments.create', { issue_id: (turn % 50) + 1, content: `Comment ${turn}` });
    if (n % 10 === 2)
      return await client.call('messages.create', {
        conversation_id: `conv_${(turn % 100) + 1}`,
        content: `Message ${turn}`,
        sender_type: 'visitor',
      });
    // The newest issues, which the page has loaded, and others.
    const id = n % 2 === 0 ? 100_000 - (turn % 500) : (turn * 7919) % 100_000;
    return await client.call('issues.changeStatus', { id: id + 1, status: statuses[turn % 4] ?? 'Open' });
  };
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable');
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
