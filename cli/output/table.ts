import { cellsOf, cut, pad } from './cells.ts';
import { printable } from './text.ts';

/** One column of a table of rows. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** Colours the text of a cell after it is cut to fit. */
  readonly paint?: (text: string, row: Row) => string;
  /** Numbers are aligned to the right. */
  readonly align?: 'left' | 'right';
  /** Columns with the highest number are dropped first when the table is too wide. Without it, a column is not dropped. */
  readonly dropAs?: number;
  /**
   * Whether its texts are cut first: those that people write, which may have any length. Texts that are typed again, such
   * as ids, stay whole as long as possible.
   */
  readonly cut?: boolean;
}

const gap = '  ';
/** A cut column is useful down to this width: before it gets narrower, other columns are dropped. */
const minUsefulCells = 12;
/** When no more columns can be dropped, cut columns shrink to this width. */
const minCutCells = 5;

/**
 * Renders rows below their headings. No line is wider than the width: less important columns are dropped and long texts
 * are cut.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where nothing is cut
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  paintHeading: (text: string) => string = (text) => text,
): string {
  const texts = new Map(
    columns.map((column) => [column, rows.map((row) => printable(column.value(row)))] as const),
  );
  const widths = fit(
    new Map(columns.map((column) => [column, naturalWidth(column, texts.get(column) ?? [])])),
    width,
  );
  const line = (
    textOf: (column: Column<Row>) => string,
    paintOf: (column: Column<Row>, text: string) => string,
  ) =>
    [...widths]
      .map(([column, cells]) => {
        const text = cut(textOf(column), cells);
        const painted = paintOf(column, text);
        return column.align === 'right' ? ' '.repeat(cells - cellsOf(text)) + painted : pad(painted, cells);
      })
      .join(gap)
      .trimEnd();
  return [
    line(
      ({ heading }) => heading.toUpperCase(),
      (_column, text) => paintHeading(text),
    ),
    ...rows.map((row, index) =>
      line(
        (column) => texts.get(column)?.[index] ?? '',
        ({ paint }, text) => paint?.(text, row) ?? text,
      ),
    ),
  ].join('\n');
}

function naturalWidth<Row>({ heading }: Column<Row>, texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, cellsOf(text)), cellsOf(heading));
}

/** The widths that columns would need. */
type Widths<Row> = ReadonlyMap<Column<Row>, number>;

/** Returns the total width of columns and the gaps between them. */
function sum(widths: Iterable<number>): number {
  return [...widths].reduce((total, each) => total + each + gap.length, -gap.length);
}

/** Returns the columns to show, each with its final width. */
function fit<Row>(natural: Widths<Row>, width: number): Widths<Row> {
  const widths = new Map(
    choose(natural, width).map((column) => [column, Math.min(natural.get(column) ?? 0, width)]),
  );
  /** Narrows the widest column first, cell by cell. */
  const narrow = (canNarrow: (column: Column<Row>) => boolean, minCells: number) => {
    for (let excess = sum(widths.values()) - width; excess > 0; excess--) {
      const [widest] = [...widths]
        .filter(([column, cells]) => canNarrow(column) && cells > minCells)
        .sort(([, one], [, other]) => other - one);
      if (widest === undefined) return;
      widths.set(widest[0], widest[1] - 1);
    }
  };
  narrow(({ cut }) => cut === true, minUsefulCells);
  narrow(({ cut }) => cut === true, minCutCells);
  narrow(() => true, 1);
  return widths;
}

/** Chooses the most important columns, as many as fit. */
function choose<Row>(natural: Widths<Row>, width: number): readonly Column<Row>[] {
  const minWidthOf = (column: Column<Row>) =>
    Math.min(natural.get(column) ?? 0, column.cut ? minUsefulCells : Number.POSITIVE_INFINITY);
  let shown = [...natural.keys()];
  const droppable = shown
    .filter(({ dropAs }) => dropAs !== undefined)
    .sort((one, other) => (other.dropAs ?? 0) - (one.dropAs ?? 0));
  for (const column of droppable) {
    if (sum(shown.map(minWidthOf)) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  // Some terminals do not even have room for one character of each.
  while (shown.length > 1 && sum(shown.map(() => 1)) > width) shown.pop();
  return shown;
}
