import { nameOf } from '../../assignees/assignee-queries.ts';
import { Mark } from '../../parts/mark.tsx';
import type { Column } from '../../parts/table/data-grid.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import type { ListedIssue } from '../issue-queries.ts';
import styles from '../issues-page.module.css';

/** The columns of the list. */
export const issueColumns: readonly Column<ListedIssue>[] = [
  {
    title: 'No.',
    width: '64px',
    phone: 'hidden',
    cell: ({ id }) => <span className={styles.number}>{id}</span>,
  },
  {
    title: 'Title',
    width: 'minmax(180px, 1fr)',
    phone: 'title',
    cell: ({ title, isDeleted }) => (
      <span className={styles.title} data-deleted={isDeleted}>
        {isDeleted && 'Deleted: '}
        <bdi>{title}</bdi>
      </span>
    ),
  },
  {
    title: 'Severity',
    width: '88px',
    phone: 'start',
    sort: 'severity',
    cell: ({ severity }) => <Mark word={severity} />,
  },
  { title: 'Status', width: '104px', phone: 'end', cell: ({ status }) => <Mark word={status} /> },
  {
    title: 'Category',
    width: 'minmax(112px, 0.2fr)',
    phone: 'hidden',
    from: 'wide',
    cell: ({ category }) => category,
  },
  {
    title: 'Assignee',
    width: 'minmax(112px, 0.2fr)',
    phone: 'hidden',
    from: 'medium',
    cell: ({ assignee }) => (assignee ? nameOf(assignee) : ''),
  },
  {
    title: 'Reported',
    width: '136px',
    phone: 'hidden',
    sort: 'created_at',
    cell: ({ created_at: at }) => <Moment at={at} />,
  },
];
