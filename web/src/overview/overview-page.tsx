import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { severities } from '../../../src/contract/vocabulary.ts';
import { issueStatisticsQuery } from '../issues/issue-chart-queries.ts';
import { Mark } from '../parts/mark.tsx';
import { formatCount } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import styles from './overview-page.module.css';

export function OverviewPage() {
  const { data } = useQuery(issueStatisticsQuery('all'));
  const countOf = (word: string) =>
    data?.severityTotals.find(({ severity }) => severity === word)?.count ?? 0;
  return (
    <Page title="Overview">
      <div className={styles.content}>
        <ul className={styles.tiles}>
          {severities.map((severity) => (
            <li key={severity}>
              <Link to="/issues" search={{ severity }} className={styles.tile}>
                <Mark word={severity} />
                <span className={styles.figure}>{data ? formatCount(countOf(severity)) : '—'}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  );
}
