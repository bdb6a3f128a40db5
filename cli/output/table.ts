import { cellsOf, cut, pad } from './cells.ts';
import { printable } from './text.ts';

/** One column of a table of rows. */
export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** Colours the text of a cell that fits already. */
  readonly paint?: (text: string, row: Row) => string;
  /** Numbers stand to the right. */
  readonly align?: 'left' | 'right';
  /** Where the width does not suffice, the columns with the highest number go first. By default none goes. */
  readonly dropAs?: number;
  /**
   * Whether its texts are the first to be cut: those of people, which may have any length. What is typed again, such as
   * an id, stays whole for as long as there is any room.
   */
  readonly cut?: boolean;
}

const gap = '  ';
/** A column that is cut is worth showing down to this width. */
const narrowest = 12;
/** And where there is nothing left to leave out, down to this. */
const shortest = 5;

/**
 * Rows below their headings. No line is wider than the width, whatever the rows hold: columns that matter less are left
 * out, long texts are cut.
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

/** Natural widths of columns. */
type Widths<Row> = ReadonlyMap<Column<Row>, number>;

/** How wide columns are beside each other. */
function sum(widths: Iterable<number>): number {
  return [...widths].reduce((total, each) => total + each + gap.length, -gap.length);
}

/** The columns that are shown, and how wide each is of its natural width. */
function fit<Row>(natural: Widths<Row>, width: number): Widths<Row> {
  const widths = new Map(
    choose(natural, width).map((column) => [column, Math.min(natural.get(column) ?? 0, width)]),
  );
  /** The widest gives way first, cell by cell. */
  const narrow = (may: (column: Column<Row>) => boolean, least: number) => {
    for (let excess = sum(widths.values()) - width; excess > 0; excess--) {
      const [widest] = [...widths]
        .filter(([column, cells]) => may(column) && cells > least)
        .sort(([, one], [, other]) => other - one);
      if (widest === undefined) return;
      widths.set(widest[0], widest[1] - 1);
    }
  };
  narrow(({ cut }) => cut === true, narrowest);
  narrow(({ cut }) => cut === true, shortest);
  narrow(() => true, 1);
  return widths;
}

/** The columns that matter most, as many as there is room for. */
function choose<Row>(natural: Widths<Row>, width: number): readonly Column<Row>[] {
  const leastOf = (column: Column<Row>) =>
    Math.min(natural.get(column) ?? 0, column.cut ? narrowest : Number.POSITIVE_INFINITY);
  let shown = [...natural.keys()];
  const droppable = shown
    .filter(({ dropAs }) => dropAs !== undefined)
    .sort((one, other) => (other.dropAs ?? 0) - (one.dropAs ?? 0));
  for (const column of droppable) {
    if (sum(shown.map(leastOf)) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  // Some terminals have not even room for a sign of each.
  while (shown.length > 1 && sum(shown.map(() => 1)) > width) shown.pop();
  return shown;
}
