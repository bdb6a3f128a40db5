import { useState } from 'react';
import { withPrice } from '../../../src/contract/known-settings/edit-token-settings.ts';
import {
  isPrice,
  pricesKey,
  readPrices,
  type TokenPrice,
} from '../../../src/contract/known-settings/token-settings.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import styles from './edit-usage.module.css';
import { ModelRows, modelProblem } from './model-rows.tsx';
import { saveSetting } from './save-setting.ts';
import type { Settings } from './usage-queries.ts';
import { isEditable } from './usage-setting-values.ts';
import { useOvertaken } from './use-overtaken.tsx';

interface PriceRow {
  readonly model: string;
  readonly input: string;
  readonly output: string;
  readonly cached: string;
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
  const {
    isEditable: hasForm,
    seen,
    action,
    onError,
    below,
  } = useOvertaken(pricesKey, settings, pricesByModel);
  const [before] = useState(() => rowsOf(settings));
  if (!hasForm) return null;
  const isMissing = model !== undefined && !before.some((row) => row.model === model);
  return (
    <FormDialog
      title="Prices"
      action={action}
      size="lg"
      initialValues={{ rows: isMissing ? [...before, { ...emptyRow, model }] : [...before] }}
      validate={(values) => problemsOf(values.rows)}
      send={({ rows }) =>
        saveSetting({ key: pricesKey, name: 'Prices', seen, text: textOf(seen, before, rows) })
      }
      onDone={onClose}
      onError={onError}
      below={below}
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
    </FormDialog>
  );
}

function rowsOf(settings: Settings): readonly PriceRow[] {
  return [...readPrices(settings).value].map(([model, { input, output, cached_input: cached = '' }]) => ({
    ...{ model, input, output, cached },
  }));
}

/** Returns the prices in words. */
function pricesByModel(settings: Settings): ReadonlyMap<string, string> {
  return new Map(
    rowsOf(settings).map(({ model, input, output, cached }) => [
      model,
      [`Input ${input}`, `output ${output}`, ...(cached === '' ? [] : [`cached ${cached}`])].join(', '),
    ]),
  );
}

const wrongPrice = 'Enter a price such as 0.15.';

function problemsOf(rows: readonly PriceRow[]): Record<string, string | null> {
  const entries = rows.flatMap((row, index) => [
    [`rows.${index}.model`, modelProblem(row.model, rows)] as const,
    [`rows.${index}.input`, isPrice(row.input.trim()) ? null : wrongPrice] as const,
    [`rows.${index}.output`, isPrice(row.output.trim()) ? null : wrongPrice] as const,
    [
      `rows.${index}.cached`,
      row.cached.trim() === '' || isPrice(row.cached.trim()) ? null : wrongPrice,
    ] as const,
  ]);
  return Object.fromEntries(entries);
}

/**
 * Returns the text of the setting with what was changed in the form. The rest stays as it is, unless the text cannot be
 * read.
 */
function textOf(seen: string | undefined, known: readonly PriceRow[], rows: readonly PriceRow[]): string {
  const isReadable = isEditable({ [pricesKey]: seen ?? '' }, pricesKey);
  const before = isReadable ? known : [];
  const isKnown = (row: PriceRow) =>
    before.some(
      (known) =>
        JSON.stringify(priceOf(known)) === JSON.stringify(priceOf(row)) && known.model === row.model.trim(),
    );
  const removed = before.filter(({ model }) => !rows.some((row) => row.model.trim() === model));
  const changes: readonly (readonly [string, TokenPrice | undefined])[] = [
    ...removed.map(({ model }) => [model, undefined] as const),
    ...rows.filter((row) => !isKnown(row)).map((row) => [row.model.trim(), priceOf(row)] as const),
  ];
  let text = isReadable ? seen : undefined;
  for (const [model, price] of changes) text = withPrice(text, model, price) ?? text;
  return text ?? '{}';
}

function priceOf({ input, output, cached }: PriceRow): TokenPrice {
  const price = { input: input.trim(), output: output.trim() };
  return cached.trim() === '' ? price : { ...price, cached_input: cached.trim() };
}
