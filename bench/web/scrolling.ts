import type { Page } from 'playwright-core';
import { openPage, type Window } from './window.ts';

const rowHeight = 40;
/** Most of a screen in each frame, 900 rows a second: nobody can read them any more. */
export const rowsPerFrame = 15;
/** The part of the height that the empty page scrolls by, whose frames are all alike. */
const emptyPart = 1 / 16;

export interface Scrolling {
  readonly issues: number;
  readonly frames: number;
  /** The times between two frames, in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly emptyP95: number;
  readonly maxRows: number;
}

/** Scrolls through all issues, which are loaded on the way, and then as fast through a page without content. */
export async function measureScrolling(window: Window, issues: number): Promise<Scrolling> {
  const page = await openPage(window, '/issues?view=all');
  await page.getByRole('row').nth(10).waitFor();
  const { times, maxRows } = await scroll(page, '[role=grid]', issues * rowHeight);
  const last = await page.getByRole('row').last().getAttribute('aria-rowindex');
  if (Number(last) <= issues) throw new Error(`The last row is ${last}, not that of the last issue.`);
  await page.context().close();

  const empty = await window.browser.newPage({ viewport: { width: 1440, height: 900 } });
  await empty.setContent(
    `<div id="scroller" style="height: 100vh; overflow: auto"><div style="height: ${issues * rowHeight}px"></div></div>`,
  );
  const { times: emptyTimes } = await scroll(empty, '#scroller', issues * rowHeight * emptyPart);
  await empty.close();
  return {
    issues,
    frames: times.length,
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    p99: percentile(times, 99),
    emptyP95: percentile(emptyTimes, 95),
    maxRows,
  };
}

interface Scrolled {
  readonly times: readonly number[];
  readonly maxRows: number;
}

/** Scrolls down by some rows in each frame until a height is reached. The debugger's protocol runs it in the page. */
async function scroll(page: Page, selector: string, height: number): Promise<Scrolled> {
  const script = `new Promise((resolve) => {
    const scroller = document.querySelector('${selector}');
    const times = [];
    let maxRows = 0;
    let before = performance.now();
    function frame(now) {
      times.push(now - before);
      before = now;
      maxRows = Math.max(maxRows, scroller.querySelectorAll('[role=row]').length);
      if (scroller.scrollTop + scroller.clientHeight >= ${height}) resolve({ times: times.slice(1), maxRows });
      else {
        scroller.scrollTop += ${rowsPerFrame * rowHeight};
        requestAnimationFrame(frame);
      }
    }
    requestAnimationFrame(frame);
  })`;
  const { times, maxRows } = (await page.evaluate(script)) as Scrolled;
  return { times: times.toSorted((a, b) => a - b), maxRows };
}

function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.floor((sorted.length * percent) / 100)] ?? Number.NaN;
}
