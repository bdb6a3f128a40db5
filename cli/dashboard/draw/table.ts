import { cut, fit } from '../../terminal/cells.ts';
import { type Column, fitColumns, gap } from '../../terminal/columns.ts';
import { printable } from '../../terminal/text.ts';
import { style, toned } from './style.ts';

export interface DrawnRow<Row> {
  readonly row: Row;
  readonly isCurrent: boolean;
  /** The signs before the row, three cells. */
  readonly signs: string;
  /** Nobody has to work on it: it is drawn quietly. */
  readonly isDone?: boolean;
}

export interface TableOptions {
  /** The field that the rows are sorted by, with `-` before it for the highest first. */
  readonly sorted?: string;
  /** What stands at the right end of the headings. */
  readonly note?: string;
}

const gutter = '    ';
/** Titles of fewer cells say little: columns are dropped before. */
const usefulCells = 24;
/** With so many cells, columns that are cut get half as much again. */
const roomyCells = 150;

/** Returns the field of a column: by it, it is sorted, chosen and saved in a view. */
export const fieldOf = <Row>({ field, heading }: Column<Row>): string => field ?? heading;

/** Draws a table that scrolls: a line of headings, then the rows. No line is wider than the width. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly DrawnRow<Row>[],
  width: number,
  { sorted = '', note = '' }: TableOptions = {},
): string[] {
  const room = width - gutter.length;
  const more = width < roomyCells ? 1 : 1.5;
  const widthOf = (each: Column<Row>) => Math.ceil((each.width ?? room) * (each.cut ? more : 1));
  const widths = [...fitColumns(new Map(columns.map((each) => [each, widthOf(each)])), room, usefulCells)];
  const headings = widths.map(([column, cells]) => {
    const sign = fieldOf(column) === sorted ? ' ▲' : `-${fieldOf(column)}` === sorted ? ' ▼' : '';
    return fit(column.heading.toUpperCase() + sign, cells, column.align);
  });
  const heading = cut(gutter + headings.join(gap), width - (note === '' ? 0 : note.length + 1));
  const textOf = ({ value, short = value, align }: Column<Row>, cells: number, row: Row) =>
    fit(printable(short(row)), cells, align);
  return [
    style.quiet(heading) + (note === '' ? '' : ` ${style.accent(note)}`),
    ...rows.map(({ row, isCurrent, signs, isDone }) => {
      const texts = widths.map(([column, cells]) => textOf(column, cells, row));
      if (isCurrent) return style.selected(fit(`${signs} ${texts.join(gap)}`, width));
      const cells = isDone
        ? style.quiet(texts.join(gap))
        : texts.map((text, at) => toned(widths[at]?.[0].tone?.(row))(text)).join(gap);
      return `${signs.trim() === '' ? signs : style.accent(signs)} ${cells}`;
    }),
  ];
}
