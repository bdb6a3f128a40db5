import { cellsOf, cut, pad } from '../terminal/cells.ts';
import { printable } from '../terminal/text.ts';

/** One column of a table of rows. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** The field that it shows, if the heading has another name. */
  readonly field?: string;
  /** Returns what a pipe gets, where `value` is a form for people: the time itself and not `2 hours ago`. */
  readonly exact?: (row: Row) => string;
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

/** A table that is rendered a page of rows at a time. */
export interface Table<Row> {
  /** Renders rows, the first ones below the headings. A column never gets narrower from page to page if it fits. */
  render(rows: readonly Row[]): string;
}

/**
 * Creates a table. No line is wider than the width: less important columns are dropped and long texts are cut.
 *
 * @param width - in terminal cells; Infinity to cut nothing
 */
export function createTable<Row>(
  columns: readonly Column<Row>[],
  width: number,
  paintHeading: (text: string) => string = (text) => text,
): Table<Row> {
  const natural = new Map(columns.map((column) => [column, cellsOf(column.heading)]));
  let isFirst = true;
  return {
    render(rows) {
      const texts = new Map(
        columns.map((column) => [column, rows.map((row) => printable(column.value(row)))] as const),
      );
      for (const [column, cells] of natural) {
        natural.set(column, Math.max(cells, ...(texts.get(column) ?? []).map(cellsOf)));
      }
      const widths = fit(natural, width);
      const line = (
        textOf: (column: Column<Row>) => string,
        paintOf: (column: Column<Row>, text: string) => string,
      ) =>
        [...widths]
          .map(([column, cells]) => alignCell(column, cut(textOf(column), cells), cells, paintOf))
          .join(gap)
          .trimEnd();
      const headings = isFirst
        ? [
            line(
              ({ heading }) => heading.toUpperCase(),
              (_column, text) => paintHeading(text),
            ),
          ]
        : [];
      isFirst = false;
      const lines = rows.map((row, index) =>
        line(
          (column) => texts.get(column)?.[index] ?? '',
          ({ paint }, text) => paint?.(text, row) ?? text,
        ),
      );
      return [...headings, ...lines].join('\n');
    },
  };
}

/** Renders a whole table: rows below their headings. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  paintHeading?: (text: string) => string,
): string {
  return createTable(columns, width, paintHeading).render(rows);
}

function alignCell<Row>(
  column: Column<Row>,
  text: string,
  cells: number,
  paintOf: (column: Column<Row>, text: string) => string,
): string {
  const painted = paintOf(column, text);
  return column.align === 'right' ? ' '.repeat(cells - cellsOf(text)) + painted : pad(painted, cells);
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
