import { Icon } from '../icon.tsx';
import styles from './sort-button.module.css';

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
export function ariaSortOf(field: string, sort: string | undefined): 'ascending' | 'descending' | 'none' {
  if (sort === `-${field}`) return 'descending';
  return sort === field ? 'ascending' : 'none';
}

/** The title of a column that sorts the table. A second press turns the order round. */
export function SortButton({ title, field, sort, isLastFirst, onSort }: SortButtonProps) {
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
