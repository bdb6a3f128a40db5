import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type CSSProperties, memo, type ReactNode } from 'react';
import { buttonAlone, lazyPart } from '../app/lazy-part.ts';
import type { RowAction } from '../parts/floating.tsx';
import { Icon } from '../parts/icon.tsx';
import sheet from '../parts/sheet.module.css';
import type { ShownColumn } from './columns.tsx';
import { useGo } from './go.ts';
import type { ShownList } from './list.ts';
import type { AnyRow } from './rows.ts';
import styles from './table.module.css';

/** The columns of a table, and how its rows lay them out. */
export interface Shape<Row> {
  readonly columns: readonly ShownColumn<Row>[];
  readonly rowStyle: CSSProperties;
  readonly isSelectable: boolean;
  readonly hasMenu: boolean;
}

interface HeadProps<Row> extends Shape<Row> {
  /** The field that sorts the list, with a hyphen before it if the last comes first. */
  readonly sort: string;
  readonly selection: ShownList<AnyRow>['selection'];
}

/** The titles of the columns, which stay in place. A title that sorts is a button, and puts the last first at first. */
export function Head<Row>(props: HeadProps<Row>) {
  const { columns, rowStyle, sort, selection, isSelectable, hasMenu } = props;
  const { ids, isAll, setAll } = selection;
  const isSome = !isAll && ids.size > 0;
  const go = useGo();
  return (
    <div role="row" aria-rowindex={1} className={styles.head} style={rowStyle}>
      {isSelectable && (
        <span role="columnheader" className={styles.select}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select all"
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = isSome;
            }}
            onChange={() => setAll(!isAll && !isSome)}
          />
        </span>
      )}
      {columns.map(({ field, title, from, sorts, isNumber }) => (
        <span
          key={field}
          role="columnheader"
          data-from={from}
          data-number={isNumber || undefined}
          aria-sort={sorts ? orderOf(field, sort) : undefined}
        >
          {sorts ? (
            <UnstyledButton
              className={styles.sort ?? ''}
              onClick={() => go({ sort: sort === `-${field}` ? field : `-${field}` }, true)}
            >
              {title}
              {orderOf(field, sort) !== 'none' && <Icon name="chevron" />}
            </UnstyledButton>
          ) : (
            title
          )}
        </span>
      ))}
      {hasMenu && (
        <span role="columnheader">
          <VisuallyHidden>Actions</VisuallyHidden>
        </span>
      )}
    </div>
  );
}

function orderOf(field: string, sort: string): 'ascending' | 'descending' | 'none' {
  if (sort === `-${field}`) return 'descending';
  return sort === field ? 'ascending' : 'none';
}

const cellClass = `${styles.cell} ${sheet.cut}`;
const bones = Array.from({ length: 12 }, (_bone, index) => index);

interface SkeletonProps<Row> extends Shape<Row> {
  readonly isInline: boolean;
}

/** Stands for the rows of a table while they are loaded, so that nothing moves when they are there. */
export function Skeleton<Row>({ columns, rowStyle, isSelectable, isInline }: SkeletonProps<Row>): ReactNode {
  return bones.slice(0, isInline ? 3 : bones.length).map((bone) => (
    <div key={bone} className={styles.row} data-loading style={rowStyle}>
      {isSelectable && <span />}
      {columns.map(({ field, phone: place = 'hidden', from }) => (
        <span key={field} className={cellClass} data-cell={place} data-from={from} />
      ))}
    </div>
  ));
}

/* A menu in each row would take most of the time of scrolling: it is there once its button is pressed. */
const ActionMenu = lazyPart(() => import('../parts/floating.tsx'), 'ActionMenu', buttonAlone);

interface GridRowProps<Row> extends Omit<Shape<Row>, 'isSelectable'> {
  /** Tells it from the rows of other tables. */
  readonly domId: string;
  readonly row: Row;
  readonly index: number;
  /** Where it is; undefined if it follows the one before. */
  readonly start: number | undefined;
  /** Undefined if the row leads nowhere. */
  readonly href: string | undefined;
  readonly isActive: boolean;
  readonly isCurrent: boolean;
  /** Undefined in a table without selection. */
  readonly isSelected: boolean | undefined;
  readonly name: string;
  /** What its menu offers, while that is open. */
  readonly opened: readonly RowAction[] | undefined;
  readonly onMenuClose: () => void;
}

function PlainRow<Row extends AnyRow>(props: GridRowProps<Row>): ReactNode {
  const { domId, row, index, start, columns, rowStyle, href, isActive, isCurrent, isSelected } = props;
  const { name, hasMenu, opened, onMenuClose } = props;
  const more = (
    <button type="button" className={styles.more} tabIndex={-1} aria-label={`Actions for ${name}`}>
      <Icon name="more" />
    </button>
  );
  return (
    <div
      id={domId}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isCurrent || undefined}
      data-index={index}
      data-active={isActive || undefined}
      className={styles.row}
      style={{ ...rowStyle, top: start }}
    >
      {isSelected !== undefined && (
        <span role="gridcell" className={styles.select} data-cell="select">
          <input type="checkbox" tabIndex={-1} aria-label={`Select ${name}`} checked={isSelected} readOnly />
        </span>
      )}
      {columns.map(({ field, phone: place = 'hidden', from, cell, isNumber }) => (
        <span
          key={field}
          role="gridcell"
          className={cellClass}
          data-cell={place}
          data-from={from}
          data-number={isNumber || undefined}
        >
          {place === 'title' && href !== undefined ? (
            <a href={href} className={styles.link} tabIndex={-1} data-deleted={row.isDeleted}>
              {row.isDeleted && 'Deleted: '}
              {cell(row)}
            </a>
          ) : (
            cell(row)
          )}
        </span>
      ))}
      {hasMenu && (
        <span role="gridcell" className={styles.menu} data-cell="menu">
          {opened ? (
            <ActionMenu actions={opened} onClose={onMenuClose}>
              {more}
            </ActionMenu>
          ) : (
            more
          )}
        </span>
      )}
    </div>
  );
}

/** Scrolling draws only the rows that come into view: the others have the same properties as before. */
export const GridRow = memo(PlainRow) as typeof PlainRow;
