import { Button } from '@mantine/core';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { pressedKey } from '../app/commands/keys.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { Failure, Note, sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { capital } from '../parts/words.ts';
import { useActions } from './actions.ts';
import { cellsOf, tracksOf } from './columns.tsx';
import { type Address, useGo, useHref } from './go.ts';
import type { ShownList } from './list.ts';
import type { Action, AnyRow, Column } from './rows.ts';
import styles from './table.module.css';
import { GridRow, Head, type Shape, Skeleton } from './table-rows.tsx';
import { listedKeys, useActive, useVisibleRows } from './table-view.ts';

interface TableProps<Row extends AnyRow> {
  readonly list: ShownList<Row>;
  /** Where a row leads on this page. The row is a link then, also to a new tab. */
  readonly href?: ((row: Row) => Address) | undefined;
  /** The row that is open, which the table follows. */
  readonly current?: Row['id'] | undefined;
  /** The columns, if not those of the noun. They must be stable. */
  readonly columns?: readonly Column<Row>[];
  readonly isSelectable?: boolean;
  /** They have a menu in each row or, where rows are selected, keys alone. */
  readonly actions?: readonly Action<Row>[];
  /** What a row is called, for the button of its menu. */
  readonly nameOf?: (row: Row) => string;
  /** Whether it is as high as its rows, among other things of a page that scrolls; for some hundred rows at most. */
  readonly isInline?: boolean;
  /** The height of rows that are items of several lines, which one column draws. They have no head. */
  readonly itemHeight?: number;
  /** What there is without a filter, and what to do about it. */
  readonly empty: { readonly title: string; readonly text?: ReactNode };
}

const noActions = [] as const;

/**
 * A list of any length, of which only the visible rows are in the document. Arrows or j and k move, x or the space bar
 * selects (with Shift from the last one on), Ctrl and A select all, Enter opens, and actions have keys of their own.
 */
export function Table<Row extends AnyRow>(props: TableProps<Row>) {
  const { list, isSelectable = false, isInline = false, itemHeight, actions = noActions, empty } = props;
  const { resource, filter, selection } = list;
  const { noun, newest = 'created_at', order = `-${newest}` } = resource;
  const { columns: given = resource.columns } = props;
  const hasMenu = actions.length > 0 && !isSelectable;
  const go = useGo();
  const columns = useMemo(() => cellsOf(noun, given), [noun, given]);
  const rowStyle = useMemo(
    () => (itemHeight === undefined ? tracksOf(columns, isSelectable, hasMenu) : { height: itemHeight }),
    [columns, isSelectable, hasMenu, itemHeight],
  );
  const shape = { columns, rowStyle, isSelectable, hasMenu };
  const head = itemHeight === undefined && (
    <Head {...shape} selection={selection} sort={filter.sort ?? order} />
  );
  if (list.isPending)
    return (
      <div {...boxOf(props)} aria-hidden="true">
        {head}
        <Skeleton {...shape} isInline={isInline} />
      </div>
    );
  if (list.error) return <Failure error={list.error} retry={list.retry} />;
  if (list.rows.length > 0)
    return (
      <Grid key={list.name} {...props} {...shape}>
        {head}
      </Grid>
    );
  const { sort: _sort, ...conditions } = filter;
  const set = Object.entries(conditions).filter(([, value]) => value !== undefined);
  if (set.length === 0 && list.total !== undefined) return <Note title={empty.title}>{empty.text}</Note>;
  const clear = () => go(Object.fromEntries(set.map(([name]) => [name, undefined])), true);
  return <Note title={`No ${noun.one} matches`} action={{ label: 'Clear the filters', run: clear }} />;
}

/** What a table has with and without rows. */
const boxOf = ({ isInline, itemHeight }: Pick<TableProps<never>, 'isInline' | 'itemHeight'>) => ({
  className: styles.scroller,
  'data-inline': isInline || undefined,
  'data-items': itemHeight !== undefined || undefined,
});

type GridProps<Row extends AnyRow> = Omit<TableProps<Row>, 'columns'> &
  Shape<Row> & { readonly children: ReactNode };

function Grid<Row extends AnyRow>(props: GridProps<Row>) {
  const { list, href, current, isSelectable = false, isInline = false, actions = noActions, nameOf } = props;
  const { columns, rowStyle, hasMenu, itemHeight } = props;
  const { rows, selection, total, nextError, loadNext } = list;
  const label = capital(list.resource.noun.many);
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useActive(rows);
  const [menuOf, setMenuOf] = useState<Row['id']>();
  const { virtual, visible, rowHeight, top } = useVisibleRows(scroller, list, isInline, itemHeight);
  useEffect(() => {
    // Items are in the order of their changes, so that all of them are kept up to date. Keys act on the active row.
    if (itemHeight !== undefined) return;
    const seen = [...visible.map(({ index }) => index), active];
    return list.resource.watch?.(
      id,
      seen.flatMap((index) => rows.at(index)?.id ?? []),
    );
  });
  const go = useGo();
  const toHref = useHref();
  const actionsOf = useActions(list.resource, actions);
  useShortcuts(label, listedKeys(href !== undefined, isSelectable, actions));

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    setActive(next);
    virtual.scrollToIndex(next);
  }

  const open = (row: Row | undefined) => row && href && go(href(row));

  const followed = useRef<Row['id']>(undefined);
  useEffect(() => {
    if (current === followed.current) return;
    const index = rows.indexOf(current);
    if (current !== undefined && index === -1) return;
    followed.current = current;
    if (index !== -1) moveTo(index);
  });

  function onClick(event: MouseEvent): void {
    const target = event.target as Element;
    const place = target.closest<HTMLElement>('[data-index]')?.dataset.index;
    if (place === undefined) return;
    const index = Number(place);
    // The browser opens a link elsewhere.
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (target.closest('[data-cell="select"]')) selection.toggle(index, event.shiftKey);
    else if (target.closest('[data-cell="menu"]')) setMenuOf(rows.at(index)?.id);
    else if (target.closest('a') !== null) {
      if (isElsewhere) return;
      event.preventDefault();
      open(rows.at(index));
    }
    setActive(index);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { shiftKey } = event;
    const key = pressedKey(event);
    if ((event.target as Element).closest('button, select, textarea, a:not([tabindex])') || event.altKey)
      return;
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const row = rows.at(active);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      j: active + 1,
      ArrowUp: active - 1,
      k: active - 1,
      PageDown: active + pageRows,
      PageUp: active - pageRows,
      Home: 0,
      End: rows.length - 1,
    };
    if (event.ctrlKey || event.metaKey) {
      if (key !== 'a' || !isSelectable) return;
      selection.setAll(true);
    } else if (Object.hasOwn(moves, key)) moveTo(moves[key] ?? 0);
    else if (key === 'Enter') open(row);
    else if (isSelectable && (key === ' ' || key.toLowerCase() === 'x')) {
      // A row that was scrolled away comes back: nobody would see what happens to it.
      moveTo(active);
      selection.toggle(active, shiftKey);
    } else {
      const action = row && actionsOf(row).find((one) => one.key === key && one.disabled === undefined);
      if (action === undefined) return;
      moveTo(active);
      action.run();
    }
    event.preventDefault();
  }

  const activeRow = visible.some(({ index }) => index === active) ? rows.at(active) : undefined;
  // A bar for the selected rows comes below the list, which gets lower: the row that keys act on stays in view.
  const height = virtual.scrollRect?.height ?? 0;
  const heightBefore = useRef(height);
  useEffect(() => {
    if (height < heightBefore.current && activeRow) virtual.scrollToIndex(active);
    heightBefore.current = height;
  }, [height]);
  const closeMenu = useCallback(() => setMenuOf(undefined), []);
  return (
    <>
      <div
        ref={scroller}
        {...boxOf(props)}
        role="grid"
        aria-label={label}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-multiselectable={isSelectable}
        aria-activedescendant={activeRow && `${id}${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {props.children}
        <div
          role="rowgroup"
          className={styles.body}
          style={isInline ? undefined : { height: virtual.getTotalSize() }}
          onClick={onClick}
        >
          {visible.map(({ index, start, key }) => {
            const row = rows.at(index);
            return (
              row && (
                <GridRow
                  key={key}
                  domId={`${id}${index}`}
                  row={row}
                  index={index}
                  start={isInline ? undefined : start - top}
                  columns={columns}
                  rowStyle={rowStyle}
                  href={href && toHref(href(row))}
                  isActive={index === active}
                  isCurrent={row.id === current}
                  isSelected={isSelectable ? selection.isAll || selection.ids.has(row.id) : undefined}
                  name={nameOf?.(row) ?? String(row.id)}
                  hasMenu={hasMenu}
                  opened={row.id === menuOf ? actionsOf(row) : undefined}
                  onMenuClose={closeMenu}
                />
              )
            );
          })}
        </div>
      </div>
      {nextError && (
        <div className={sheet.foot} role="alert">
          <span className={sheet.warning}>{sentenceOf(nextError)}</span>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              loadNext(true);
              scroller.current?.focus();
            }}
          >
            Try again
          </Button>
        </div>
      )}
    </>
  );
}
