import { type ReactNode, useLayoutEffect } from 'react';
import { apart, cellsOf } from '../../output/cells.ts';
import { counted } from '../../output/number.ts';
import { createStore, type Store, useStore } from '../store.ts';
import { theme } from '../theme.ts';
import { Lines } from './lines.tsx';

/** How far a page of lines is scrolled. Its keys are those of a list. */
interface Scroll {
  readonly store: Store<{ readonly top: number }>;
  /** How many lines there are, and how many of them are seen: as they were drawn last. */
  lineCount: number;
  pageRows: number;
  move(lines: number): void;
  toFirst(): void;
  toLast(): void;
}

export function createScroll(): Scroll {
  const store = createStore({ top: 0 });
  const put = (top: number) => store.set({ top: within(top, scroll) });
  const scroll: Scroll = {
    store,
    lineCount: 0,
    pageRows: 1,
    // From where it is seen: the page may have become shorter since.
    move: (lines) => put(within(store.get().top, scroll) + lines),
    toFirst: () => put(0),
    toLast: () => put(scroll.lineCount),
  };
  return scroll;
}

const within = (top: number, { lineCount, pageRows }: Pick<Scroll, 'lineCount' | 'pageRows'>) =>
  Math.max(0, Math.min(top, lineCount - pageRows));

/** The head, and an empty row below it. */
const headRows = 2;

interface ScrolledProps {
  readonly scroll: Scroll;
  /** What stays above the lines; beside it stands how many are below the last one seen. */
  readonly head: string;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Those of the lines that it is scrolled to. */
export function Scrolled({ scroll, head, lines, width, height }: ScrolledProps): ReactNode {
  const { top } = useStore(scroll.store);
  const pageRows = height - headRows;
  const lineCount = lines.length;
  // At once: the next key already goes by what is seen.
  useLayoutEffect(() => {
    scroll.pageRows = pageRows;
    scroll.lineCount = lineCount;
  }, [scroll, pageRows, lineCount]);

  const from = within(top, { lineCount, pageRows });
  const seen = lines.slice(from, from + pageRows);
  const below = lineCount - from - seen.length;
  const more = below > 0 ? theme.quiet(moreLines(below, width - cellsOf(head))) : '';
  return <Lines lines={[apart(head, more, width), '', ...seen]} height={height} />;
}

/** How much is below, in as many words as there is room for. */
function moreLines(below: number, cells: number): string {
  const said = `↓ ${counted(below, 'more line')} `;
  return cellsOf(said) < cells ? said : `↓ ${below} `;
}
