import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** From this size on, frames are so large that a small heap would spend most of its time on garbage collection. */
const hugeTerminalCells = 12_000;
/**
 * Space for new objects: several frames of a huge terminal. With only one frame of space, each collection finds the frame
 * that is being drawn and moves it to the old objects, whose collection takes as long as the drawing.
 */
const youngSpaceBytes = 16 * 1024 ** 2;

/**
 * Keeps the memory of a long-running dashboard small, at the price of more frequent collections. Measured by
 * `npm run bench:tui`.
 *
 * @param cells - the size of the terminal
 */
export function keepHeapSmall(cells: number): void {
  setFlagsFromString('--heap-growing-percent=10');
  if (cells <= hugeTerminalCells) return;
  // The executable starts with a space for new objects that cannot grow. V8 does not accept a size for it at run time,
  // so let it grow until it has the size.
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (space !== undefined && space.space_size < youngSpaceBytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
