import { Checkbox, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './data-grid.module.css';

const phone = '(max-width: 48em)';
const rowHeights = { desk: 40, phone: 56 };
/** How many rows before the end of what is loaded the next page is asked for. */
const rowsAhead = 200;

export interface Column<Row> {
  readonly title: string;
  /** The width, as a track of a CSS grid. */
  readonly width: string;
  /** The place in the two lines of a row on a phone. */
  readonly phone: 'title' | 'start' | 'end' | 'hidden';
  /** The field that the title sorts by. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
}

export interface Selection<Id> {
  readonly ids: ReadonlySet<Id>;
  readonly set: (ids: ReadonlySet<Id>) => void;
}

interface DataGridProps<Row extends { readonly id: string | number }> {
  /** What the rows are, such as `Issues`. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** How many rows there are, if known: more than are loaded. */
  readonly total?: number | undefined;
  readonly onOpen: (row: Row) => void;
  /** Called when the rows that are loaded are about to end. */
  readonly onNearEnd: () => void;
  readonly selection?: Selection<Row['id']>;
  /** The field of the order, with `-` before it if the highest is first. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
}

/**
 * A table of any length, of which only the visible rows are in the document. Arrows or j and k move, x or the space bar
 * selects (with Shift from the last one on), Enter opens.
 */
export function DataGrid<Row extends { readonly id: string | number }>(props: DataGridProps<Row>) {
  const { label, columns, rows, total, onOpen, onNearEnd, selection, sort, onSort } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const anchor = useRef(0);
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const rowHeight = isPhone ? rowHeights.phone : rowHeights.desk;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight]);
  const visible = virtual.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastVisible > rows.length - rowsAhead) onNearEnd();
  }, [lastVisible, rows.length, onNearEnd]);

  const widths = [...(selection ? ['28px'] : []), ...columns.map(({ width }) => width)];
  const tracks = { '--tracks': widths.join(' ') } as CSSProperties;

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    setActive(next);
    virtual.scrollToIndex(next);
  }

  /** Selects or deselects a row, or selects all rows from the last one that was clicked. */
  function toggle(index: number, isRange: boolean): void {
    const row = rows[index];
    if (selection === undefined || row === undefined) return;
    const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
    selection.set(
      isRange
        ? selection.ids.union(new Set(rows.slice(from, to + 1).map(({ id }) => id)))
        : selection.ids.symmetricDifference(new Set([row.id])),
    );
    anchor.current = index;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const row = rows[active];
    if (event.key === 'ArrowDown' || event.key === 'j') moveTo(active + 1);
    else if (event.key === 'ArrowUp' || event.key === 'k') moveTo(active - 1);
    else if (event.key === 'PageDown') moveTo(active + page);
    else if (event.key === 'PageUp') moveTo(active - page);
    else if (event.key === 'Home') moveTo(0);
    else if (event.key === 'End') moveTo(rows.length - 1);
    else if (event.key === ' ' || event.key.toLowerCase() === 'x') toggle(active, event.shiftKey);
    else if (event.key === 'Enter' && row !== undefined) onOpen(row);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-multiselectable={selection !== undefined}
      aria-activedescendant={rows[active] && `row-${rows[active].id}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={styles.head} style={tracks}>
          {selection && (
            <span role="columnheader">
              <VisuallyHidden>Selected</VisuallyHidden>
            </span>
          )}
          {columns.map((column) => (
            <Heading key={column.title} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {visible.map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const isSelected = selection?.ids.has(row.id);
          return (
            <div
              key={key}
              id={`row-${row.id}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isSelected}
              data-active={index === active || undefined}
              className={styles.row}
              style={{ ...tracks, transform: `translateY(${start}px)` }}
              onClick={() => {
                setActive(index);
                onOpen(row);
              }}
            >
              {selection && (
                <span
                  role="gridcell"
                  className={styles.cell}
                  data-phone="select"
                  onClick={(event) => {
                    event.stopPropagation();
                    setActive(index);
                    toggle(index, event.shiftKey);
                  }}
                >
                  <Checkbox
                    size="xs"
                    tabIndex={-1}
                    aria-label={`Select ${row.id}`}
                    checked={isSelected}
                    readOnly
                  />
                </span>
              )}
              {columns.map(({ title, phone: place, cell }) => (
                <span key={title} role="gridcell" className={styles.cell} data-phone={place}>
                  {cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

/** The title of a column. One that can be sorted by is a button; a second press turns the order round. */
function Heading<Row>({ column: { title, sort: field }, sort, onSort }: HeadingProps<Row>) {
  if (field === undefined || onSort === undefined) return <span role="columnheader">{title}</span>;
  const isDescending = sort === `-${field}`;
  const isActive = isDescending || sort === field;
  const order = isDescending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" aria-sort={isActive ? order : 'none'}>
      <button
        type="button"
        className={styles.sort}
        data-active={isActive || undefined}
        onClick={() => onSort(isDescending ? field : `-${field}`)}
      >
        {title} {isActive && (isDescending ? '↓' : '↑')}
      </button>
    </span>
  );
}
