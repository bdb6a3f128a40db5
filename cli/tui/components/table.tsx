import { type ReactNode, useEffect, useMemo } from 'react';
import { cellsOf, fit, wrap } from '../../terminal/cells.ts';
import { grouped } from '../../terminal/number.ts';
import { printable } from '../../terminal/text.ts';
import type { List } from '../list/list.ts';
import { countUnseen } from '../list/unseen.ts';
import { useListWindow } from '../list/window.ts';
import { useStore } from '../state/store.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { currentLook, type Paint, theme } from '../theme.ts';
import { Lines } from './lines.tsx';
import { Region } from './region.tsx';

export interface TableColumn<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** In cells. Columns with `rest` share what the others leave. */
  readonly width: number | 'rest';
  readonly align?: 'left' | 'right';
  /** A paint changes only how characters look, not blanks. */
  readonly paint?: (row: Row) => Paint;
  /** If there is not enough room, columns are dropped, the highest number first. Without a number, never. */
  readonly dropAs?: number;
}

/** Cells for the signs of the cursor, the selection and a change. */
const gutter = 4;
const gap = 2;
/** The width that a `rest` column needs before other columns are dropped for it. */
const usefulRestCells = 24;
const minRestCells = 8;
/** In a wider column, the eye loses the row on the way to the next column. */
const maxRestCells = 100;

/** Returns the columns that fit, each with its width. The least important ones are dropped first. */
export function fitColumns<Row>(
  columns: readonly TableColumn<Row>[],
  cells: number,
): readonly (readonly [column: TableColumn<Row>, width: number])[] {
  const minWidthOf = ({ width }: TableColumn<Row>) => (width === 'rest' ? usefulRestCells : width);
  const needed = (some: readonly TableColumn<Row>[]) =>
    some.reduce((sum, column) => sum + minWidthOf(column) + gap, -gap);
  let shown = columns;
  const droppable = columns
    .filter(({ dropAs }) => dropAs !== undefined)
    .sort((one, other) => (other.dropAs ?? 0) - (one.dropAs ?? 0));
  for (const column of droppable) {
    if (needed(shown) <= cells) break;
    shown = shown.filter((each) => each !== column);
  }
  let left = shown.filter(({ width }) => width === 'rest').length;
  // If the remaining columns are still too wide, the `rest` columns shrink to this minimum.
  let rest = Math.max(left * minRestCells, cells - needed(shown) + left * usefulRestCells);
  return shown.map((column) => {
    if (column.width !== 'rest') return [column, column.width] as const;
    const share = Math.ceil(rest / left);
    rest -= share;
    left -= 1;
    return [column, Math.min(share, maxRestCells)] as const;
  });
}

/** Returns the column at a cell of the line, if one is there. */
function columnAt<Row>(
  fitted: readonly (readonly [column: TableColumn<Row>, width: number])[],
  x: number,
): TableColumn<Row> | undefined {
  let start = 0;
  for (const [column, width] of fitted) {
    if (x >= start && x < start + width) return column;
    start += width + gap;
  }
  return undefined;
}

interface PaintedCell {
  readonly text: string;
  readonly paint: Paint | undefined;
}

/** Joins the cells of a row. Paints neighbours alike together, because Ink parses every style again for each frame. */
function joinCells(cells: readonly PaintedCell[]): string {
  const runs: PaintedCell[] = [];
  for (const { text, paint } of cells) {
    const last = runs.at(-1);
    if (last === undefined || last.paint !== paint) runs.push({ text, paint });
    else runs[runs.length - 1] = { text: last.text + ' '.repeat(gap) + text, paint };
  }
  return runs.map(({ text, paint }) => paint?.(text) ?? text).join(' '.repeat(gap));
}

type FittedColumns<Row> = readonly (readonly [column: TableColumn<Row>, width: number])[];

function cellsOfRow<Row>(row: Row, fitted: FittedColumns<Row>, isPainted: boolean): readonly PaintedCell[] {
  return fitted.map(([column, room]) => ({
    text: fit(printable(column.value(row)), room, column.align),
    paint: isPainted ? column.paint?.(row) : undefined,
  }));
}

/** Returns a function that draws a row once, until the columns, the width or the colours change. */
function useRowLines<Row extends object>(columns: readonly TableColumn<Row>[], width: number) {
  const look = currentLook();
  // Each of them changes the lines.
  return useMemo(() => {
    const lines = new WeakMap<Row, string>();
    return (row: Row, fitted: FittedColumns<Row>) => {
      const line = lines.get(row) ?? joinCells(cellsOfRow(row, fitted, true));
      lines.set(row, line);
      return line;
    };
  }, [columns, width, look]);
}

/** Leaves blank signs without a style, which Ink would parse for nothing. */
function paintedSigns(signs: string): string {
  return signs.trim() === '' ? signs : theme.accent(signs);
}

export interface TableProps<Row> {
  readonly list: List<Row>;
  readonly columns: readonly TableColumn<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly width: number;
  readonly height: number;
  readonly selected?: ReadonlySet<string | number>;
  /** The sign after the heading of the column that the list is sorted by. */
  readonly sorted?: { readonly heading: string; readonly sign: string };
  /** Shown if there are no rows. */
  readonly empty: readonly string[];
  /** Called for a double click on a row. */
  readonly onOpen?: () => void;
  /** Called with a heading that was clicked on. */
  readonly onSort?: (heading: string) => void;
}

/** Draws a list with column headings. Formats only the visible rows. */
export function Table<Row extends object>(props: TableProps<Row>): ReactNode {
  const { list, columns, keyOf, width, height, selected, sorted, empty, onOpen, onSort } = props;
  const { shown, index, phase, error, marks, unseen } = useStore(list.store);
  const room = Math.max(1, height - 1);
  const current = shown[index];
  const top = useListWindow(index, current === undefined ? undefined : keyOf(current), shown.length, room);
  useEffect(() => {
    list.pageRows = room;
    list.saw(top, top + room);
  });

  const lineOf = useRowLines(columns, width);
  if (shown.length === 0) {
    const failed = () => [...wrap(`✗ ${error}`, width - 8), 'Retrying automatically.'];
    const message = phase === 'loading' ? ['Loading…'] : phase === 'failed' ? failed() : empty;
    return (
      <Lines
        lines={['', ...message.map((line, index) => `    ${index === 0 ? line : theme.quiet(line)}`)]}
        height={height}
      />
    );
  }
  const fitted = fitColumns(columns, width - gutter);
  const newAbove = countUnseen(shown, top, unseen, keyOf);
  const above = newAbove === 0 ? '' : `↑ ${grouped(newAbove)} new`;
  const widest = fitted.findIndex(([{ width }]) => width === 'rest');
  const heading = fitted
    .map(([column, cells], at) => {
      const sign = sorted?.heading === column.heading ? ` ${sorted.sign}` : '';
      const text = column.heading.toUpperCase() + sign;
      if (at !== widest || above === '') return fit(text, cells, column.align);
      return fit(cellsOf(`${text}  ${above}`) <= cells ? `${text}  ${above}` : above, cells);
    })
    .join(' '.repeat(gap));
  const lines = shown.slice(top, top + room).map((row, offset) => {
    const isCurrent = top + offset === index;
    const isMarked = selected?.has(keyOf(row)) === true;
    const signs = `${isCurrent ? '❯' : ' '}${isMarked ? '✓' : ' '}${marks.has(keyOf(row)) ? '•' : ' '} `;
    if (isCurrent) return theme.selected(fit(signs + joinCells(cellsOfRow(row, fitted, false)), width));
    return paintedSigns(signs) + lineOf(row, fitted);
  });
  const onMouse = ({ kind, x, y, lines: turned }: MouseEvent) => {
    if (kind === 'wheel') return list.move(turned);
    if (y === 0) {
      const clicked = columnAt(fitted, x - gutter);
      return clicked === undefined ? undefined : onSort?.(clicked.heading);
    }
    if (top + y - 1 >= shown.length) return;
    list.move(top + y - 1 - index);
    if (kind === 'double') onOpen?.();
  };
  return (
    <Region onMouse={onMouse} width={width} height={height}>
      <Lines
        lines={[
          theme.quiet(
            ' '.repeat(gutter) + (above === '' ? heading : heading.replace(above, theme.accent(above))),
          ),
          ...lines,
        ]}
        height={height}
      />
    </Region>
  );
}
