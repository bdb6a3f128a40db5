import Table from 'cli-table3';
import stringWidth from 'string-width';
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
  /** Whether its texts may be cut. A table should have such a column, for its long texts. */
  readonly cut?: boolean;
}

const gap = 2;
/** A column that is cut is worth showing down to this width. */
const narrowest = 12;

/**
 * Rows below their headings. They fit into the width: columns that matter less are left out, long texts are cut.
 *
 * @param width - in terminal cells; Infinity for a file or a pipe, where nothing is cut
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  paintHeading: (text: string) => string = (text) => text,
): string {
  const cells = new Map(
    columns.map((column) => [column, rows.map((row) => printable(column.value(row)))] as const),
  );
  const natural = new Map(columns.map((column) => [column, naturalWidth(column, cells.get(column) ?? [])]));
  const widths = fit(natural, width);
  const shown = [...widths.keys()];
  const table = new Table({
    head: shown.map(({ heading }) => paintHeading(heading.toUpperCase())),
    colAligns: shown.map(({ align }) => align ?? 'left'),
    colWidths: shown.map((column) => (widths.get(column) ?? 0) + gap),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
    chars: noLines,
  });
  for (const [index, row] of rows.entries()) {
    table.push(
      shown.map((column) => {
        const text = cells.get(column)?.[index] ?? '';
        return column.paint === undefined ? text : column.paint(text, row);
      }),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function naturalWidth<Row>({ heading }: Column<Row>, texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, stringWidth(text)), stringWidth(heading));
}

/** The columns that are shown, and how wide each is of its natural width. */
function fit<Row>(natural: ReadonlyMap<Column<Row>, number>, width: number): Map<Column<Row>, number> {
  const leastOf = (column: Column<Row>) =>
    Math.min(natural.get(column) ?? 0, column.cut ? narrowest : Number.POSITIVE_INFINITY);
  const sum = (parts: Iterable<number>) => [...parts].reduce((total, part) => total + part + gap, 0);

  const shown = new Set(natural.keys());
  const droppable = [...shown]
    .filter(({ dropAs }) => dropAs !== undefined)
    .sort((one, other) => (other.dropAs ?? 0) - (one.dropAs ?? 0));
  for (const column of droppable) {
    if (sum([...shown].map(leastOf)) <= width) break;
    shown.delete(column);
  }

  const widths = new Map(
    [...shown].map((column) => [
      column,
      Math.min(natural.get(column) ?? 0, Math.max(width, leastOf(column))),
    ]),
  );
  // The widest text gives way first, cell by cell.
  for (let excess = sum(widths.values()) - width; excess > 0; excess--) {
    const [widest] = [...shown]
      .filter((column) => (widths.get(column) ?? 0) > leastOf(column))
      .sort((one, other) => (widths.get(other) ?? 0) - (widths.get(one) ?? 0));
    if (widest === undefined) break;
    widths.set(widest, (widths.get(widest) ?? 0) - 1);
  }
  return widths;
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
