import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/time/moment.tsx';
import styles from './usage-page.module.css';
import type { TokenAlert } from './usage-queries.ts';

/** The word of each severity. */
const words: Readonly<Record<string, string>> = { info: 'Notice', warning: 'Warning', critical: 'Critical' };

/** What each severity of an alert means. */
const meanings: Readonly<Record<string, string>> = {
  info: 'Half of the budget is used.',
  warning: 'The budget is about to be used up. Use fewer tokens, or raise the budget.',
  critical: 'The budget is used up. Requests go on and cost more: the service stops none.',
};

const resolved = 'The reason has passed: the budget, a price or the projection has changed.';
const projected =
  'The cost will exceed the budget at the current rate. Use fewer tokens, or raise the budget.';

function meaningOf({ metric, severity, status }: TokenAlert): string {
  if (status !== 'firing') return resolved;
  return metric === 'projected_cost' ? projected : (meanings[severity] ?? '');
}

/** The alerts of a month: those that fire first, each with what it means. */
export function UsageAlerts({ alerts }: { readonly alerts: readonly TokenAlert[] }) {
  if (alerts.length === 0) {
    return (
      <p className={styles.empty}>
        No alerts. One is raised when the cost reaches 50, 80 or 100% of a budget, or will exceed it.
      </p>
    );
  }
  return (
    <ul className={styles.list}>
      {alerts.map((alert) => (
        <li key={alert.id} className={styles.alert}>
          <Mark word={alert.status === 'firing' ? (words[alert.severity] ?? alert.severity) : 'Resolved'} />
          <p>{alert.message}</p>
          <p className={styles.soft}>
            {meaningOf(alert)} <Moment at={alert.triggeredAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}
