import type { Column } from '../../terminal/columns/column.ts';
import { isOnTerminal, outputWidth, printLine, printPiece } from '../../terminal/terminal.ts';
import { printable } from '../../terminal/text.ts';
import { paint } from '../../terminal/tones.ts';
import { createTable } from '../table.ts';
import { chooseColumns } from './columns.ts';
import type { ListOf } from './list-of.ts';
import { pageWriter, type RowWriter } from './page-writer.ts';

/**
 * Prints a table on a terminal. A pipe or file gets a line of each row with tabs between the values: without headings,
 * colours and padding, and with exact times and numbers, so that `cut` and `awk` read it.
 *
 * @param asked - the names of the columns; by default, all
 */
export async function tableWriter<Row extends object>(
  list: ListOf,
  columns: readonly Column<Row>[],
  asked: string | undefined,
): Promise<RowWriter<Row>> {
  const shown = asked === undefined ? columns : await chooseColumns(columns, asked, list);
  if (!isOnTerminal())
    return pageWriter((rows) => printPiece(rows.map((row) => tabbed(shown, row)).join('')));
  const table = createTable(shown, outputWidth(), paint('bold'));
  // Waits for a pager, which a person reads slowly and may close before the end.
  return pageWriter((rows) => printLine(table.render(rows)));
}

function tabbed<Row>(columns: readonly Column<Row>[], row: Row): string {
  return `${columns.map(({ value, exact }) => printable((exact ?? value)(row))).join('\t')}\n`;
}
