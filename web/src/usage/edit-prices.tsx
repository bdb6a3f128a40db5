import { useState } from 'react';
import { withPrice } from '../../../src/contract/known-settings/edit-token-settings.ts';
import { isPrice, pricesKey, readPrices } from '../../../src/contract/known-settings/token-settings.ts';
import styles from './edit-usage.module.css';
import { changedRows, type ModelRow, rowProblems } from './model-row.ts';
import { ModelRows } from './model-rows.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import type { Settings } from './usage-queries.ts';

interface PriceRow extends ModelRow {
  readonly input: string;
  readonly output: string;
  readonly cached: string;
}

interface Prices {
  readonly rows: PriceRow[];
}

const emptyRow: PriceRow = { model: '', input: '', output: '', cached: '' };

interface EditPricesProps {
  readonly settings: Settings;
  readonly currency: string;
  /** The model that needs a price, if the form was opened for one. */
  readonly model: string | undefined;
  readonly onClose: () => void;
}

/** Edits the prices of all models. */
export function EditPrices({ settings, currency, model, onClose }: EditPricesProps) {
  const [before] = useState(() => pricesOf(settings));
  const isMissing = model !== undefined && !before.rows.some((row) => row.model === model);
  return (
    <SettingDialog
      title="Prices"
      size="lg"
      settingKey={pricesKey}
      settings={settings}
      entriesOf={pricesByModel}
      before={before}
      empty={{ rows: [] }}
      initialValues={{ rows: [...before.rows, ...(isMissing ? [{ ...emptyRow, model }] : [])] }}
      validate={problemsOf}
      textOf={textOf}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.text}>
            What a million tokens cost, in {currency}. Without a price of its own, a token from the cache
            costs as much as any other. A new price also applies to requests that were recorded before.
          </p>
          <ModelRows
            form={form}
            fields={[
              ['input', 'Input'],
              ['output', 'Output'],
              ['cached', 'Cached'],
            ]}
            emptyRow={emptyRow}
          />
        </>
      )}
    </SettingDialog>
  );
}

function pricesOf(settings: Settings): Prices {
  const rows = [...readPrices(settings).value].map(([model, price]) => {
    const { input, output, cached_input: cached = '' } = price;
    return { model, input, output, cached };
  });
  return { rows };
}

/** Returns the prices in words. */
function pricesByModel(settings: Settings): ReadonlyMap<string, string> {
  return new Map(
    pricesOf(settings).rows.map(({ model, input, output, cached }) => [
      model,
      [`Input ${input}`, `output ${output}`, ...(cached === '' ? [] : [`cached ${cached}`])].join(', '),
    ]),
  );
}

const priceProblem = (text: string) => (isPrice(text) ? null : 'Enter a price such as 0.15.');

function problemsOf({ rows }: Prices): Record<string, string | null> {
  return rowProblems(rows, {
    input: priceProblem,
    output: priceProblem,
    cached: (text) => (text === '' ? null : priceProblem(text)),
  });
}

function textOf(stored: string | undefined, before: Prices, { rows }: Prices): string | undefined {
  const { removed, changed } = changedRows(before.rows, rows);
  let text = stored;
  for (const model of removed) text = withPrice(text, model, undefined) ?? text;
  for (const { model, input, output, cached } of changed) {
    const price = cached === '' ? { input, output } : { input, output, cached_input: cached };
    text = withPrice(text, model, price) ?? text;
  }
  return text;
}
