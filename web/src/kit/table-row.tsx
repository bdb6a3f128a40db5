import { memo, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { MoreIcon } from '../parts/icon.tsx';
import type { RowAction } from '../parts/row-menu-items.tsx';
import type { AnyRow } from './rows.ts';
import styles from './table.module.css';
import type { Shape } from './table-head.tsx';

/* A menu in each row would take most of the time of scrolling: it is there once its button is pressed. */
const ActionMenu = lazyPart(() => import('../parts/row-menu-items.tsx'), 'ActionMenu');

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
      <MoreIcon />
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
      {columns.map(({ field, phone: place = 'hidden', from, cell, isTitle, isNumber }) => (
        <span
          key={field}
          role="gridcell"
          className={styles.cell}
          data-cell={place}
          data-from={from}
          data-number={isNumber || undefined}
        >
          {isTitle && href !== undefined ? (
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
            <Suspense fallback={more}>
              <ActionMenu actions={opened} onClose={onMenuClose}>
                {more}
              </ActionMenu>
            </Suspense>
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
