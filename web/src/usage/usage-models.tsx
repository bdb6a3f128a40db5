import { ConnectLink } from '../parts/connect-link.tsx';
import type { CsvLine } from '../parts/files/csv.ts';
import { formatMoney } from '../parts/money.ts';
import { formatCount } from '../parts/numbers.ts';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { EditLink } from './edit-link.tsx';
import styles from './usage-page.module.css';
import type { Usage } from './usage-queries.ts';

type Model = Usage['byModel'][number];

const columnsIn = (currency: string): readonly ShortColumn<Model & { readonly id: string }>[] => [
  { title: 'Model', phone: 'title', cell: ({ model }) => model },
  { title: 'Provider', phone: 'hidden', cell: ({ provider }) => provider || '—' },
  { title: 'Requests', phone: 'hidden', isNumber: true, cell: ({ requests }) => formatCount(requests) },
  {
    title: 'Tokens in',
    phone: 'hidden',
    isNumber: true,
    cell: ({ inputTokens }) => formatCount(inputTokens),
  },
  {
    title: 'Tokens out',
    phone: 'hidden',
    isNumber: true,
    cell: ({ outputTokens }) => formatCount(outputTokens),
  },
  {
    title: 'Tokens',
    phone: 'start',
    isNumber: true,
    cell: ({ totalTokens }) => (
      <>
        {formatCount(totalTokens)}
        <span data-unit> tokens</span>
      </>
    ),
  },
  {
    title: 'Cost',
    phone: 'end',
    isNumber: true,
    cell: (model) => <Cost model={model} currency={currency} />,
  },
];

/** What a model has cost. A model without a price has no cost, and not none. */
function Cost({ model: { model, cost }, currency }: { readonly model: Model; readonly currency: string }) {
  if (cost !== null) return formatMoney(cost, currency);
  return (
    <EditLink edit="prices" model={model}>
      No price: add one
    </EditLink>
  );
}

/** The usage of each model in a month; undefined while it is loaded. */
export function UsageModels({ usage }: { readonly usage: Usage | undefined }) {
  const rows = usage?.byModel.map((model) => ({ ...model, id: `${model.provider} ${model.model}` }));
  return (
    <ShortTable
      label="Models"
      columns={columnsIn(usage?.currency ?? '')}
      rows={rows}
      nameOf={({ model }) => model}
      empty={
        <p className={styles.empty}>
          No requests in this month. <ConnectLink />
        </p>
      }
    />
  );
}

const titles = ['Model', 'Provider', 'Requests', 'Tokens in', 'Tokens out', 'Tokens', 'Cost', 'Currency'];

/** Returns the lines of a spreadsheet of the models. The cost of one without a price is left out. */
export function modelLines({ byModel, currency }: Usage): readonly CsvLine[] {
  return [
    titles,
    ...byModel.map(({ model, provider, requests, inputTokens, outputTokens, totalTokens, cost }) => [
      ...[model, provider, requests, inputTokens, outputTokens, totalTokens],
      cost === null ? '' : Number(cost),
      cost === null ? '' : currency,
    ]),
  ];
}
