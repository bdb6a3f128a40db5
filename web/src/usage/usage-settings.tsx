import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts } from '../parts/facts.tsx';
import { formatMoney, formatPrice } from '../parts/money.ts';
import { Section } from '../parts/page/section.tsx';
import { formatMonth } from '../parts/time/months.ts';
import { EditLink, settingKeys } from './edit-link.tsx';
import styles from './usage-page.module.css';
import type { Settings } from './usage-queries.ts';
import type { UsageSearch } from './usage-search.ts';
import { type UsageSettings as Read, type Readable, readUsageSettings } from './usage-setting-values.ts';

interface UsageSettingsProps {
  readonly settings: Settings;
  readonly currency: string;
}

/** The budgets and the prices, each with the way to its form. */
export function UsageSettings({ settings, currency }: UsageSettingsProps) {
  const { prices, budgets } = readUsageSettings(settings);
  return (
    <div className={styles.columns}>
      <Part title="Budgets" edit="budgets" read={budgets}>
        <BudgetList budgets={budgets.value} currency={currency} />
      </Part>
      <Part title="Prices" edit="prices" read={prices}>
        <PriceList prices={prices.value} currency={currency} />
      </Part>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly edit: NonNullable<UsageSearch['edit']>;
  readonly read: Readable<unknown>;
  readonly children: ReactNode;
}

/** One setting. A text that is no JSON object has no form: saving one would lose it. */
function Part({ title, edit, read: { problems, isReadable }, children }: PartProps) {
  return (
    <Section
      isPlain
      title={title}
      bar={
        isReadable && (
          <EditLink edit={edit} isButton>
            {`Edit ${title.toLowerCase()}`}
          </EditLink>
        )
      }
    >
      <div className={styles.card}>
        {problems.map((problem) => (
          <p key={problem} className={styles.problem} role="alert">
            Unreadable: {problem}{' '}
            <Link to="/settings" search={{ setting: settingKeys[edit] }}>
              Open the setting
            </Link>
          </p>
        ))}
        {isReadable && children}
      </div>
    </Section>
  );
}

interface BudgetListProps {
  readonly budgets: Read['budgets']['value'];
  readonly currency: string;
}

function BudgetList({ budgets: { total, models }, currency }: BudgetListProps) {
  if (total === undefined && models.size === 0) return <p className={styles.soft}>No budgets.</p>;
  const money = (amount: string) => (
    <span className={styles.number}>{formatMoney(amount, currency)} a month</span>
  );
  return (
    <Facts
      facts={[
        ...(total === undefined ? [] : [['All models together', money(total)] as const]),
        ...[...models].map(([model, amount]) => [model, money(amount)] as const),
      ]}
    />
  );
}

interface PriceListProps {
  readonly prices: Read['prices']['value'];
  readonly currency: string;
}

function PriceList({ prices, currency }: PriceListProps) {
  if (prices.size === 0) return <p className={styles.soft}>No prices. Without them, the cost is unknown.</p>;
  return (
    <table className={styles.prices}>
      <caption>Of a million tokens</caption>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Input</th>
          <th scope="col">Output</th>
          <th scope="col">Cached input</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {[...prices].flatMap(([model, ofModel]) =>
          ofModel.map(({ input, output, cached_input: cached = input, since }) => (
            <tr key={`${model} ${since}`}>
              <th scope="row">{model}</th>
              <td>{formatPrice(input, currency)}</td>
              <td>{formatPrice(output, currency)}</td>
              <td>{formatPrice(cached, currency)}</td>
              <td>{since === undefined ? 'Always' : formatMonth(since)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}
