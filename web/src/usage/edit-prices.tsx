import { useState } from 'react';
import {
  sinceOfNewPrice,
  withoutPrice,
  withPrice,
} from '../../../src/contract/known-settings/edit-token-settings.ts';
import {
  isPrice,
  priceIn,
  pricesKey,
  readPrices,
} from '../../../src/contract/known-settings/token-settings.ts';
import { formatMonth, type Month } from '../parts/time/months.ts';
import styles from './edit-usage.module.css';
import { changedRows, type ModelRow, rowProblems } from './model-row.ts';
import { ModelRows } from './model-rows.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import type { Settings } from './usage-queries.ts';

interface PriceRow extends ModelRow {
  readonly input: string;
  readonly output: string;
  readonly cached: string;
  /** The month from which it holds; empty from the beginning. */
  readonly since: string;
}

interface Prices {
  readonly rows: PriceRow[];
}

const emptyRow: PriceRow = { model: '', input: '', output: '', cached: '', since: '' };

interface EditPricesProps {
  readonly settings: Settings;
  readonly currency: string;
  /** The current month, from which a changed price holds. */
  readonly month: Month;
  /** The model that needs a price, if the form was opened for one. */
  readonly model: string | undefined;
  readonly onClose: () => void;
}

/** Edits the prices of all models in the current month. */
export function EditPrices({ settings, currency, month, model, onClose }: EditPricesProps) {
  const [before] = useState(() => pricesOf(settings, month));
  const isMissing = model !== undefined && !before.rows.some((row) => row.model === model);
  return (
    <SettingDialog
      title="Prices"
      size="lg"
      settingKey={pricesKey}
      settings={settings}
      entriesOf={(current) => pricesByModel(current, month)}
      before={before}
      empty={{ rows: [] }}
      initialValues={{ rows: [...before.rows, ...(isMissing ? [{ ...emptyRow, model }] : [])] }}
      validate={problemsOf}
      textOf={(stored, seen, after) => textOf(stored, seen, after, month)}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.text}>
            What a million tokens cost, in {currency}. Without a price of its own, a token from the cache
            costs as much as any other. A changed price holds from {formatMonth(month)} on: months before keep
            theirs. The first price of a model also applies to all requests that were recorded before.
          </p>
          <ModelRows
            form={form}
            fields={[
              ['input', 'Input'],
              ['output', 'Output'],
              ['cached', 'Cached'],
            ]}
            emptyRow={emptyRow}
            noteOf={({ since }) => (since === '' ? undefined : `Since ${formatMonth(since)}`)}
          />
        </>
      )}
    </SettingDialog>
  );
}

function pricesOf(settings: Settings, month: Month): Prices {
  const rows = [...readPrices(settings).value].flatMap(([model, all]) => {
    // One that holds from a later month on is shown if there is no other.
    const price = priceIn(all, month) ?? all[0];
    if (price === undefined) return [];
    const { input, output, cached_input: cached = '', since = '' } = price;
    return [{ model, input, output, cached, since }];
  });
  return { rows };
}

/** Returns the prices in words. */
function pricesByModel(settings: Settings, month: Month): ReadonlyMap<string, string> {
  return new Map(
    pricesOf(settings, month).rows.map(({ model, input, output, cached, since }) => [
      model,
      [
        ...[`Input ${input}`, `output ${output}`],
        ...(cached === '' ? [] : [`cached ${cached}`]),
        ...(since === '' ? [] : [`since ${formatMonth(since)}`]),
      ].join(', '),
    ]),
  );
}

const priceProblem = (text: string) => (isPrice(text) ? null : 'Enter a price such as 0.15.');

function problemsOf({ rows }: Prices): Record<string, string | null> {
  return rowProblems(rows, {
    input: priceProblem,
    output: priceProblem,
    cached: (text) => (text === '' ? null : priceProblem(text)),
    since: () => null,
  });
}

function textOf(
  stored: string | undefined,
  before: Prices,
  { rows }: Prices,
  month: Month,
): string | undefined {
  const { removed, changed } = changedRows(before.rows, rows);
  let text = stored;
  for (const model of removed) text = withoutPrice(text, model) ?? text;
  for (const { model, input, output, cached } of changed) {
    const since = sinceOfNewPrice(text, model, month);
    text = withPrice(text, model, { input, output, cached_input: cached || undefined, since }) ?? text;
  }
  return text;
}
