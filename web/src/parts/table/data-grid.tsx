import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Column, tracksOf } from './data-grid/column.ts';
import { DataGridHead } from './data-grid/data-grid-head.tsx';
import { DataGridRow } from './data-grid/data-grid-row.tsx';
import { pressGridKey } from './data-grid/grid-keys.ts';
import { type Selection, useToggle } from './data-grid/selection.ts';
import { useVisibleRows } from './data-grid/use-visible-rows.ts';
import styles from './data-grid.module.css';
import { useStaysInView } from './use-stays-in-view.ts';

export type { Column } from './data-grid/column.ts';
export type { Selection } from './data-grid/selection.ts';

interface DataGridProps<Row extends { readonly id: string | number }> {
  /** What the rows are, such as `Issues`. */
  readonly label: string;
  /** What the list is of, such as its filter. Another list is shown from its top. */
  readonly listKey?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Lays what is known of a row since it was loaded over it. Called for the rows in view only. */
  readonly patch?: (row: Row) => Row;
  /** How many rows there are, if known: more than are loaded. */
  readonly total?: number | undefined;
  /** The row that is open beside the table, which follows it. */
  readonly current?: Row['id'] | undefined;
  readonly onOpen: (row: Row) => void;
  /** Called when the rows that are loaded are about to end. */
  readonly onNearEnd: () => void;
  readonly selection?: Selection<Row['id']>;
  /** Called when the first row comes to be in view and active, and when it no longer is. */
  readonly onTop?: (isAtTop: boolean) => void;
  /** The field of the order, with `-` before it if the highest is first. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
}

/**
 * A table of any length, of which only the visible rows are in the document. Arrows or j and k move, x or the space bar
 * selects (with Shift from the last one on), Ctrl and A select all, Enter opens.
 */
export function DataGrid<Row extends { readonly id: string | number }>(props: DataGridProps<Row>) {
  const { label, listKey, columns, rows, patch, total, current, onOpen, onNearEnd } = props;
  const { selection, onTop, sort, onSort } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const toggle = useToggle<Row['id']>(rows, selection);
  const { virtual, visible, rowHeight } = useVisibleRows(scroller, rows.length, onNearEnd);
  // Assistive technology looks for it in the document, which has the visible rows alone.
  const isActiveShown = visible.some(({ index }) => index === active);
  useStaysInView(scroller, () => {
    if (isActiveShown) virtual.scrollToIndex(active);
  });
  const isSelectable = selection !== undefined;
  const tracks = useMemo(() => tracksOf(columns, isSelectable), [columns, isSelectable]);

  const isAtTop = active === 0 && (virtual.scrollOffset ?? 0) < rowHeight;
  useEffect(() => onTop?.(isAtTop), [onTop, isAtTop]);

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    setActive(next);
    virtual.scrollToIndex(next);
  }

  function open(index: number): void {
    const row = rows[index];
    if (row !== undefined) onOpen(row);
  }

  useEffect(() => {
    setActive(0);
    virtual.scrollToIndex(0);
  }, [virtual, listKey]);

  const shownCurrent = useRef<Row['id']>(undefined);
  useEffect(() => {
    if (current === shownCurrent.current) return;
    const index = rows.findIndex(({ id }) => id === current);
    if (current !== undefined && index === -1) return;
    shownCurrent.current = current;
    if (index === -1) return;
    setActive(index);
    virtual.scrollToIndex(index);
  }, [current, rows, virtual]);

  function onClick(event: MouseEvent): void {
    const target = event.target as Element;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? Number.NaN);
    if (Number.isNaN(index)) return;
    setActive(index);
    if (target.closest('[data-phone="select"]')) toggle(index, event.shiftKey);
    else open(index);
  }

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-multiselectable={isSelectable}
      aria-activedescendant={isActiveShown && rows[active] ? `row-${rows[active].id}` : undefined}
      tabIndex={0}
      onKeyDown={(event) =>
        pressGridKey(event, {
          active,
          count: rows.length,
          pageSize: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2),
          moveTo,
          // A row that was scrolled away comes back: nobody would see what happens to it.
          toggle(index, isRange) {
            moveTo(index);
            toggle(index, isRange);
          },
          selectAll: selection && (() => selection.setAll(true)),
          open(index) {
            moveTo(index);
            open(index);
          },
        })
      }
    >
      <DataGridHead columns={columns} tracks={tracks} selection={selection} sort={sort} onSort={onSort} />
      <div
        role="rowgroup"
        className={styles.body}
        style={{ height: virtual.getTotalSize() }}
        onClick={onClick}
      >
        {visible.map(({ index, start, key }) => {
          const row = rows[index];
          return (
            row && (
              <DataGridRow
                key={key}
                row={patch ? patch(row) : row}
                index={index}
                start={start}
                columns={columns}
                tracks={tracks}
                isActive={index === active}
                isCurrent={row.id === current}
                isSelected={selection && (selection.isAll || selection.ids.has(row.id))}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
