import { cellsOf, cut, pad } from '../terminal/cells.ts';
import { type Column, fitColumns, gap } from '../terminal/columns.ts';
import { printable } from '../terminal/text.ts';
import { paintTone } from '../terminal/tones.ts';

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
      const widths = fitColumns(natural, width);
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
          ({ tone }, text) => paintTone(text, tone?.(row)),
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
