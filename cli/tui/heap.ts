import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** In cells. From here on a frame is so much that a heap without room for it would mostly be cleaned up. */
const hugeTerminal = 12_000;
/** Bytes for what is new: a few frames of a huge terminal. */
const roomForFrames = 4 * 1024 ** 2;

/**
 * Keeps the memory of a dashboard that stays open small, at the price of more frequent collections. Measured by
 * `npm run bench:tui`.
 *
 * @param cells - of the terminal
 */
export function keepHeapSmall(cells: number): void {
  setFlagsFromString('--heap-growing-percent=10');
  if (cells <= hugeTerminal) return;
  // The executable lets the space for new objects not grow at all. V8 takes no size for it once it runs, so it may grow
  // until it has that size.
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (space !== undefined && space.space_size < roomForFrames) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
