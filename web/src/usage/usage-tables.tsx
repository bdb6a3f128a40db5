import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { readBudgets, readPrices } from '../../../src/contract/known-settings/token-settings.ts';
import { formAddress, usageSettings } from '../app/addresses/searches.ts';
import { useSettingRefusal } from '../app/session/permissions.ts';
import { withUnit } from '../kit/columns.tsx';
import { useRows } from '../kit/list.ts';
import { computed, type ShownResource } from '../kit/resource.ts';
import type { AnyRow } from '../kit/rows.ts';
import { Table } from '../kit/table.tsx';
import { formatMonth } from '../parts/months.tsx';
import { formatCount, formatMoney, formatPrice } from '../parts/numbers.ts';
import { Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import type { Settings, Usage } from './usage-queries.ts';

type Model = Usage['byModel'][number] & { readonly id: string; readonly currency: string };

const models = computed<Model>('model', 'models', [
  { field: 'model', title: 'Model', phone: 'title' },
  { field: 'provider', title: 'Provider', from: 'medium', width: 'minmax(112px, 0.6fr)' },
  { field: 'requests', title: 'Requests', isNumber: true },
  { field: 'inputTokens', title: 'Tokens in', from: 'wide', isNumber: true, width: '120px' },
  { field: 'outputTokens', title: 'Tokens out', from: 'wide', isNumber: true, width: '120px' },
  {
    field: 'totalTokens',
    title: 'Tokens',
    phone: 'start',
    isNumber: true,
    width: '120px',
    cell: ({ totalTokens }) => withUnit(formatCount(totalTokens), ' tokens'),
  },
  {
    field: 'cost',
    title: 'Cost',
    phone: 'end',
    isNumber: true,
    width: '136px',
    // A model without a price has no cost, and not none.
    cell: ({ cost, currency, model }) =>
      cost === null ? (
        <SettingLink of="prices" model={model} without="No price">
          No price: add one
        </SettingLink>
      ) : (
        formatMoney(cost, currency)
      ),
  },
]);

/** The usage of each model in a month. */
export function ModelTable({ query }: { readonly query: UseQueryResult<{ readonly usage: Usage }> }) {
  const usage = query.data?.usage;
  const rows = useMemo(() => usage && rowsOf(usage), [usage]);
  return (
    <Section isPlain title="Models">
      <Table isInline list={useRows(models, rows, query)} empty={{ title: 'No requests in this month.' }} />
    </Section>
  );
}

const rowsOf = ({ byModel, currency }: Usage): readonly Model[] =>
  byModel.map((model) => ({ ...model, id: `${model.provider} ${model.model}`, currency }));

interface SettingProps {
  readonly settings: Settings;
  readonly currency: string;
}

/** A row of texts, by field. */
type Texts = AnyRow & Readonly<Record<string, string | number>>;

const budgets = computed<Texts>('budget', 'budgets', [
  { field: 'model', title: 'Model', phone: 'title' },
  {
    field: 'amount',
    title: 'Each month',
    phone: 'start',
    isNumber: true,
    width: '136px',
    cell: ({ amount }) => withUnit(amount, ' each month'),
  },
]);

/** What a month may cost. */
export function BudgetTable({ settings, currency }: SettingProps) {
  const read = useMemo(() => readBudgets(settings), [settings]);
  const rows = useMemo(() => {
    const { total, models: ofModels } = read.value;
    const all = [...(total === undefined ? [] : [['All models together', total] as const]), ...ofModels];
    return all.map(([model, amount], id) => ({ id, model, amount: formatMoney(amount, currency) }));
  }, [read, currency]);
  return (
    <SettingTable
      of="budgets"
      title="Budgets"
      text="An alert is raised at 50, 80 and 100%. No request is stopped."
      resource={budgets}
      rows={rows}
      problems={read.problems}
      empty="No budgets."
    />
  );
}

/** When a price is valid that has no first month. */
const always = 'From the start';

const prices = computed<Texts>('price', 'prices', [
  {
    field: 'model',
    title: 'Model',
    phone: 'title',
    width: 'minmax(80px, 1fr)',
    cell: ({ model, since }) => withUnit(<bdi>{model}</bdi>, since === always ? '' : ` · ${since}`),
  },
  {
    field: 'input',
    title: 'Input',
    phone: 'start',
    isNumber: true,
    width: '80px',
    cell: ({ input, output, cached }) => withUnit(input, ` in, ${output} out, ${cached} cached`),
  },
  { field: 'output', title: 'Output', isNumber: true, width: '80px' },
  { field: 'cached', title: 'Cached', isNumber: true, width: '80px' },
  { field: 'since', title: 'Valid', isNumber: true, width: '104px' },
]);

/** What the models cost, each price from a month on. */
export function PriceTable({ settings, currency }: SettingProps) {
  const read = useMemo(() => readPrices(settings), [settings]);
  const rows = useMemo(
    () =>
      [...read.value].flatMap(([model, ofModel]) =>
        ofModel.map(({ input, output, cached_input: cached = input, since }) => ({
          id: `${model} ${since}`,
          model,
          input: formatPrice(input, currency),
          output: formatPrice(output, currency),
          cached: formatPrice(cached, currency),
          since: since === undefined ? always : `From ${formatMonth(since)}`,
        })),
      ),
    [read, currency],
  );
  return (
    <SettingTable
      of="prices"
      title="Prices"
      text="Per million tokens. Cached tokens cost the input price unless you set their own."
      resource={prices}
      rows={rows}
      problems={read.problems}
      empty="No prices. Without them, the cost is unknown."
    />
  );
}

interface SettingTableProps {
  readonly of: keyof typeof usageSettings;
  readonly title: string;
  readonly text: string;
  readonly resource: ShownResource<Texts>;
  readonly rows: readonly Texts[];
  /** What of the setting cannot be read. */
  readonly problems: readonly string[];
  readonly empty: string;
}

/** One setting, with the way to its form. */
function SettingTable(props: SettingTableProps) {
  const { of, title, text, resource, rows, problems, empty } = props;
  const list = useRows(resource, rows, { error: null, refetch: () => Promise.reject() });
  const refusal = useSettingRefusal()(usageSettings[of]);
  const edit = (
    <Button
      variant="default"
      size="xs"
      renderRoot={(root) => <Link to="/settings" search={formAddress(of)} {...root} />}
    >
      {`Edit ${title.toLowerCase()}`}
    </Button>
  );
  return (
    <Section isPlain title={title} text={text} bar={refusal === undefined && edit}>
      {problems.map((problem) => (
        <p key={problem} className={sheet.warning} role="alert">
          Unreadable: {problem}
        </p>
      ))}
      {rows.length > 0 ? (
        <Table isInline list={list} empty={{ title: empty }} />
      ) : (
        problems.length === 0 && (
          <div className={sheet.items}>
            <p className={sheet.quiet}>{empty}</p>
          </div>
        )
      )}
    </Section>
  );
}

interface SettingLinkProps {
  readonly of: keyof typeof usageSettings;
  /** The model that the form is opened for. */
  readonly model?: string;
  /** What those read who may not change the setting. */
  readonly without?: string;
  readonly children: ReactNode;
}

/** Leads to the form of prices or budgets, for those who may change them. */
export function SettingLink({ of, model, without, children }: SettingLinkProps) {
  const refusal = useSettingRefusal()(usageSettings[of]);
  if (refusal !== undefined) return <span title={refusal}>{without}</span>;
  return (
    <Link to="/settings" search={formAddress(of, model)}>
      {children}
    </Link>
  );
}
