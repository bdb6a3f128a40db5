import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { ShownColumn } from './columns.tsx';
import { useGo } from './go.ts';
import type { Selection } from './list.ts';
import styles from './table.module.css';

interface HeadProps<Row> {
  readonly columns: readonly ShownColumn<Row>[];
  readonly tracks: CSSProperties;
  readonly sort: string;
  readonly selection: Pick<Selection<unknown>, 'ids' | 'isAll' | 'setAll'>;
  readonly isSelectable: boolean;
  readonly hasMenu: boolean;
}

/** The titles of the columns, which stay in place. A title that sorts is a button. */
export function Head<Row>({ columns, tracks, sort, selection, isSelectable, hasMenu }: HeadProps<Row>) {
  const go = useGo();
  return (
    <div role="rowgroup" className={styles.headGroup}>
      <div role="row" aria-rowindex={1} className={styles.head} style={tracks}>
        {isSelectable && <SelectAll selection={selection} />}
        {columns.map(({ field, title, from, sorts, isNumber }) => (
          <span
            key={field}
            role="columnheader"
            data-from={from}
            data-number={isNumber || undefined}
            aria-sort={sorts ? ariaSortOf(field, sort) : undefined}
          >
            {sorts ? (
              <SortButton
                {...{ title, field, sort }}
                isLastFirst
                onSort={(next) => go({ sort: next }, true)}
              />
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
    </div>
  );
}

/** Selects all rows of the list, or none if there are selected ones. */
function SelectAll({ selection: { ids, isAll, setAll } }: Pick<HeadProps<never>, 'selection'>) {
  const isSome = !isAll && ids.size > 0;
  return (
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
  );
}

interface SortButtonProps {
  /** The title of the column. */
  readonly title: string;
  /** The field that it sorts by. */
  readonly field: string;
  /** The sort of the table: a field, with a hyphen before it if the last comes first. */
  readonly sort: string | undefined;
  /** Whether the first press puts the last first, as for times. */
  readonly isLastFirst: boolean;
  readonly onSort: (sort: string) => void;
}

/** Returns how a table is sorted by a field, for its heading. */
function ariaSortOf(field: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === `-${field}`) return 'descending';
  return sort === field ? 'ascending' : 'none';
}

/** The title of a column that sorts the table. A second press turns the order round. */
function SortButton({ title, field, sort, isLastFirst, onSort }: SortButtonProps) {
  const order = ariaSortOf(field, sort);
  const isDescendingNext = order === 'none' ? isLastFirst : order === 'ascending';
  return (
    <button
      type="button"
      className={styles.sort}
      data-active={order !== 'none' || undefined}
      onClick={() => onSort(isDescendingNext ? `-${field}` : field)}
    >
      {title}
      {order !== 'none' && (
        <span className={styles.order} data-order={order}>
          <Icon name="chevron" />
        </span>
      )}
    </button>
  );
}

const bones = Array.from({ length: 12 }, (_bone, index) => index);
const inlineBones = bones.slice(0, 3);

interface SkeletonProps<Row> extends Pick<HeadProps<Row>, 'columns' | 'tracks' | 'isSelectable'> {
  readonly isInline: boolean;
  readonly itemHeight: number | undefined;
  readonly children: ReactNode;
}

/** Stands for a table while it is loaded, so that nothing moves when it is there. */
export function Skeleton<Row>(props: SkeletonProps<Row>) {
  const { columns, tracks, isSelectable, isInline, itemHeight, children } = props;
  const style = itemHeight === undefined ? tracks : { height: itemHeight };
  return (
    <div
      className={styles.scroller}
      data-inline={isInline || undefined}
      data-items={itemHeight !== undefined || undefined}
      aria-hidden="true"
    >
      {children}
      {(isInline ? inlineBones : bones).map((bone) => (
        <div key={bone} className={styles.row} data-loading style={style}>
          {isSelectable && <span />}
          {columns.map(({ field, phone: place = 'hidden', from }) => (
            <span key={field} className={styles.cell} data-cell={place} data-from={from}>
              <span className={styles.bone} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
