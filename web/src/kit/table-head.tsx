import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { ShownColumn } from './columns.tsx';
import { useGo } from './go.ts';
import type { Selection } from './list.ts';
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
  readonly selection: Pick<Selection<unknown>, 'ids' | 'isAll' | 'setAll'>;
}

/** The titles of the columns, which stay in place. A title that sorts is a button, and puts the last first at first. */
export function Head<Row>(props: HeadProps<Row>) {
  const { columns, rowStyle, sort, selection, isSelectable, hasMenu } = props;
  const { ids, isAll, setAll } = selection;
  const isSome = !isAll && ids.size > 0;
  const go = useGo();
  return (
    <div role="rowgroup" className={styles.headGroup}>
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
              <button
                type="button"
                className={styles.sort}
                onClick={() => go({ sort: sort === `-${field}` ? field : `-${field}` }, true)}
              >
                {title}
                {orderOf(field, sort) !== 'none' && <Icon name="chevron" />}
              </button>
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

function orderOf(field: string, sort: string): 'ascending' | 'descending' | 'none' {
  if (sort === `-${field}`) return 'descending';
  return sort === field ? 'ascending' : 'none';
}

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
        <span key={field} className={styles.cell} data-cell={place} data-from={from}>
          <span className={styles.bone} />
        </span>
      ))}
    </div>
  ));
}
