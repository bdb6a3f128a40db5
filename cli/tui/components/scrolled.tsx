import { type ReactNode, useLayoutEffect } from 'react';
import { apart, cellsOf } from '../../terminal/cells.ts';
import { counted } from '../../terminal/number.ts';
import { createStore, type Store, useStore } from '../state/store.ts';
import { theme } from '../theme.ts';
import { Lines } from './lines.tsx';
import { Region } from './region.tsx';

/** The scroll position of a page of lines. Its keys are those of a list. */
export interface Scroll {
  readonly store: Store<{ readonly top: number }>;
  /** How many lines there are and how many are visible, as of the last drawing. */
  lineCount: number;
  pageRows: number;
  move(lines: number): void;
  toFirst(): void;
  toLast(): void;
}

export function createScroll(): Scroll {
  const store = createStore({ top: 0 });
  const put = (top: number) => store.set({ top: clamp(top, scroll) });
  const scroll: Scroll = {
    store,
    lineCount: 0,
    pageRows: 1,
    // From the visible position: the page may have become shorter since.
    move: (lines) => put(clamp(store.get().top, scroll) + lines),
    toFirst: () => put(0),
    toLast: () => put(scroll.lineCount),
  };
  return scroll;
}

const clamp = (top: number, { lineCount, pageRows }: Pick<Scroll, 'lineCount' | 'pageRows'>) =>
  Math.max(0, Math.min(top, lineCount - pageRows));

/** The head and an empty row. */
const headRows = 2;

interface ScrolledProps {
  readonly scroll: Scroll;
  /** The line above, which does not scroll. The number of lines further down is shown at its end. */
  readonly head: string;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Draws the visible part of a page of lines. */
export function Scrolled({ scroll, head, lines, width, height }: ScrolledProps): ReactNode {
  const { top } = useStore(scroll.store);
  const pageRows = height - headRows;
  const lineCount = lines.length;
  // A layout effect, because the next key must already use these numbers.
  useLayoutEffect(() => {
    scroll.pageRows = pageRows;
    scroll.lineCount = lineCount;
  }, [scroll, pageRows, lineCount]);

  const from = clamp(top, { lineCount, pageRows });
  const visibleLines = lines.slice(from, from + pageRows);
  const below = lineCount - from - visibleLines.length;
  const more = below > 0 ? theme.quiet(moreLines(below, width - cellsOf(head))) : '';
  return (
    <Region
      onMouse={({ kind, lines: turned }) => kind === 'wheel' && scroll.move(turned)}
      height={height}
      width={width}
    >
      <Lines lines={[apart(head, more, width), '', ...visibleLines]} height={height} />
    </Region>
  );
}

/** Returns how many lines follow, shortened if there is little room. */
function moreLines(below: number, cells: number): string {
  const full = `↓ ${counted(below, 'more line')} `;
  return cellsOf(full) < cells ? full : `↓ ${below} `;
}
