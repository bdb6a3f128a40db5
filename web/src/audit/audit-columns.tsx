import type { Column } from '../parts/table/data-grid.tsx';
import { DayMoment } from '../parts/time/day-moment.tsx';
import styles from './audit-page.module.css';
import type { AuditEntry } from './audit-queries.ts';
import { doorWords } from './audit-words.ts';
import { ChangeLine } from './change-line.tsx';

/** The columns of the audit trail. */
export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
    width: '150px',
    phone: 'end',
    cell: ({ created_at: at }) => (
      <span className={styles.quiet}>
        <DayMoment at={at} />
      </span>
    ),
  },
  {
    title: 'Who',
    width: 'minmax(120px, 220px)',
    phone: 'start',
    cell: ({ actor_name: name }) => <span title={name}>{name}</span>,
  },
  {
    title: 'Event',
    width: '180px',
    phone: 'title',
    cell: ({ event }) => <span className={styles.event}>{event}</span>,
  },
  {
    title: 'Subject',
    width: '110px',
    phone: 'hidden',
    from: 'medium',
    cell: ({ subject_id: id }) => id ?? '',
  },
  {
    title: 'Change',
    width: 'minmax(160px, 1fr)',
    phone: 'hidden',
    cell: (entry) => (
      <span className={styles.quiet}>
        <ChangeLine entry={entry} />
      </span>
    ),
  },
  {
    title: 'Through',
    width: '140px',
    phone: 'hidden',
    from: 'wide',
    cell: ({ door }) => doorWords[door],
  },
];
