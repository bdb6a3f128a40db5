import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Mark } from '../parts/mark.tsx';
import { Moment } from '../parts/moment.tsx';
import { Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { formatMoney, formatPercent } from '../parts/words.ts';
import { type TokenAlert, useUsage } from './usage-queries.ts';

/** What alerts say, the worst first: a word, and what it means. */
const kinds = {
  critical: ['Critical', 'Requests continue, and cost more.'],
  warning: ['Warning', 'Use fewer tokens, or raise the budget.'],
  info: ['Notice', 'Half of the budget is used.'],
  resolved: ['Resolved', 'The budget, a price or the projection has changed since.'],
} as const;
const ranks = Object.keys(kinds);

function kindOf({ status, severity }: TokenAlert): keyof typeof kinds {
  if (status !== 'firing') return 'resolved';
  return severity === 'critical' || severity === 'warning' ? severity : 'info';
}

const byRank = (a: TokenAlert, b: TokenAlert) => ranks.indexOf(kindOf(a)) - ranks.indexOf(kindOf(b));

/** How many alerts are beside the chart unless one asks for all. */
const shownAtFirst = 3;

/** Returns the alerts that fire, the worst first: of each budget only the worst, which says what the others say. */
export function urgentAlerts(alerts: readonly TokenAlert[]): readonly TokenAlert[] {
  const worst = new Map<string | null, TokenAlert>();
  for (const alert of alerts.toSorted(byRank))
    if (kindOf(alert) !== 'resolved' && !worst.has(alert.model)) worst.set(alert.model, alert);
  return [...worst.values()];
}

/** The alerts of a month, each with what it means. */
export function UsageAlerts() {
  const { data } = useUsage();
  const [isAll, setIsAll] = useState(false);
  const alerts = data?.alerts ?? [];
  const few = urgentAlerts(alerts).slice(0, shownAtFirst);
  const others = alerts.filter((alert) => !few.includes(alert));
  const shown = isAll ? [...few, ...others.toSorted(byRank)] : few;
  return (
    <div id="alerts" style={{ flex: '1 1 320px' }}>
      <Section
        isPlain
        title="Alerts"
        bar={
          others.length > 0 && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-expanded={isAll}
              onClick={() => setIsAll(!isAll)}
            >
              {isAll ? 'Show the most urgent' : `Show all ${alerts.length}`}
            </Button>
          )
        }
      >
        {data === undefined && <Skeleton height={74} data-loading />}
        {data && shown.length > 0 && (
          <ul className={sheet.items}>
            {shown.map((alert) => (
              <Alert key={alert.id} alert={alert} currency={data.usage.currency} />
            ))}
          </ul>
        )}
        {data && shown.length === 0 && (
          <div className={sheet.items}>
            <p className={sheet.quiet}>
              {others.length === 0 ? 'No alerts.' : 'No alerts now.'} One is raised when the cost reaches 50,
              80 or 100% of a budget, or is projected to exceed it.
            </p>
          </div>
        )}
      </Section>
    </div>
  );
}

function Alert({ alert, currency }: { readonly alert: TokenAlert; readonly currency: string }) {
  const { metric, model, threshold, limit, triggeredAt } = alert;
  const [word, meaning] = kinds[kindOf(alert)];
  return (
    <li>
      <div className={sheet.lines}>
        <span className={sheet.between}>
          <Mark word={word} />
          <span className={sheet.quiet}>
            <Moment at={triggeredAt} />
          </span>
        </span>
        <span>
          <bdi>{model ?? 'The cost'}</bdi>
          {metric === 'cost' ? ` has reached ${formatPercent(threshold)} of ` : ' is projected to exceed '}
          its budget of {formatMoney(limit, currency)}.
        </span>
        <span className={sheet.quiet}>{meaning}</span>
      </div>
    </li>
  );
}
