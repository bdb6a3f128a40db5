import { cellsOf, cut } from '../terminal/cells.ts';
import { type Column, fitColumns, gap } from '../terminal/columns.ts';
import { printable } from '../terminal/text.ts';
import { paintTone } from '../terminal/tones.ts';

/**
 * Creates a table, as a function that renders a page of rows, the first ones below the headings. No line is wider than the
 * width: less important columns are dropped and long texts are cut. A column never gets narrower from page to page if it fits.
 *
 * @param width - in terminal cells; Infinity to cut nothing
 */
export function createTable<Row>(
  columns: readonly Column<Row>[],
  width: number,
  paintHeading: Paint = (text) => text,
): (rows: readonly Row[]) => string {
  const natural = new Map(columns.map((column) => [column, cellsOf(column.heading)]));
  let isFirst = true;
  return (rows) => {
    const texts = new Map(columns.map((column) => [column, rows.map((row) => printable(column.value(row)))]));
    for (const [column, cells] of natural)
      natural.set(column, Math.max(cells, ...(texts.get(column) ?? []).map(cellsOf)));
    const widths = [...fitColumns(natural, width)];
    const line = (cellOf: (column: Column<Row>, cells: number) => string) =>
      widths
        .map(([column, cells]) => cellOf(column, cells))
        .join(gap)
        .trimEnd();
    const headings = line((column, cells) =>
      renderCell(column, column.heading.toUpperCase(), cells, paintHeading),
    );
    const lines = rows.map((row, at) =>
      line((column, cells) => {
        const text = texts.get(column)?.[at] ?? '';
        return renderCell(column, text, cells, (shown) => paintTone(shown, column.tone?.(row)));
      }),
    );
    if (isFirst) lines.unshift(headings);
    isFirst = false;
    return lines.join('\n');
  };
}

type Paint = (text: string) => string;

/** Renders a whole table: rows below their headings. */
export const renderTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  paintHeading?: Paint,
): string => createTable(columns, width, paintHeading)(rows);

/** Cuts a text to a cell, and paints it without the blanks that fill the cell. */
function renderCell<Row>({ align }: Column<Row>, text: string, cells: number, paint: Paint): string {
  const shown = cut(text, cells);
  const blanks = ' '.repeat(cells - cellsOf(shown));
  return align === 'right' ? blanks + paint(shown) : paint(shown) + blanks;
}
