import { getRouteApi, useLinkProps } from '@tanstack/react-router';
import { listOnly } from '../issue-search.ts';
import styles from './issue-views.module.css';

const route = getRouteApi('/signed-in/issues');

const views = [
  { title: 'All', assignee: undefined },
  { title: 'Assigned to me', assignee: 'me' },
  { title: 'Unassigned', assignee: 'none' },
] as const;

interface IssueViewsProps {
  readonly onChoose: () => void;
}

/** Leads to the issues of everybody, one's own, and those of nobody. The other filters stay. */
export function IssueViews({ onChoose }: IssueViewsProps) {
  return (
    <nav className={styles.views} aria-label="Views">
      {views.map((view) => (
        <View key={view.title} {...view} onChoose={onChoose} />
      ))}
    </nav>
  );
}

function View({ title, assignee, onChoose }: (typeof views)[number] & IssueViewsProps) {
  const { assignee: current } = route.useSearch();
  const link = useLinkProps({
    from: '/issues',
    to: '/issues',
    search: (before) => ({ ...before, ...listOnly, assignee }),
    className: styles.view,
    onClick: onChoose,
  });
  // The router takes every link to this page for the current one.
  return (
    <a {...link} aria-current={current === assignee ? 'page' : undefined}>
      {title}
    </a>
  );
}
