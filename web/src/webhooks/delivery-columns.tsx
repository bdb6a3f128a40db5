import { Mark } from '../parts/mark.tsx';
import { formatCount } from '../parts/numbers.ts';
import type { Column } from '../parts/table/data-grid.tsx';
import { DayMoment } from '../parts/time/day-moment.tsx';
import { statusWords } from './delivery-words.ts';
import type { Delivery } from './webhook-queries.ts';
import styles from './webhooks-page.module.css';

/** The columns of the deliveries. */
export const deliveryColumns: readonly Column<Delivery>[] = [
  {
    title: 'Status',
    width: '110px',
    phone: 'start',
    cell: ({ status }) => <Mark word={statusWords[status]} />,
  },
  {
    title: 'Event',
    width: '190px',
    phone: 'title',
    cell: ({ type, replay_of }) => (
      <span className={styles.type}>
        {type}
        {replay_of !== null && <span className={styles.quiet}> · again</span>}
      </span>
    ),
  },
  {
    title: 'Result',
    width: 'minmax(160px, 1fr)',
    phone: 'hidden',
    cell: ({ response_status, error }) => (
      <span className={styles.quiet} title={error ?? undefined}>
        {error ?? response_status ?? ''}
      </span>
    ),
  },
  {
    title: 'Attempts',
    width: '80px',
    phone: 'hidden',
    from: 'medium',
    isNumber: true,
    cell: ({ attempts }) => <span className={styles.count}>{formatCount(attempts)}</span>,
  },
  {
    title: 'Took',
    width: '90px',
    phone: 'hidden',
    from: 'medium',
    isNumber: true,
    cell: ({ duration_ms: ms }) => (
      <span className={styles.count}>{ms === null ? '' : `${formatCount(ms)} ms`}</span>
    ),
  },
  {
    title: 'Created',
    width: '180px',
    phone: 'end',
    cell: ({ created_at: at }) => (
      <span className={styles.quiet}>
        <DayMoment at={at} />
      </span>
    ),
  },
];
