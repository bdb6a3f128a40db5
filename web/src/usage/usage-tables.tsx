import { Button } from '@mantine/core';
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
import { Section } from '../parts/page.tsx';
import sheet from '../parts/sheet.module.css';
import { capital, formatCount, formatMoney, formatPrice } from '../parts/words.ts';
import { type Settings, type Usage, useUsage } from './usage-queries.ts';

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
export function ModelTable() {
  const query = useUsage();
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

/** A row of texts, by field. */
type Texts = AnyRow & Readonly<Record<string, string | number>>;

/** What is shown of one setting. */
interface Shown {
  readonly text: string;
  readonly empty: string;
  readonly resource: ShownResource<Texts>;
  /** Returns the rows, and what of the setting cannot be read. */
  readonly read: (settings: Settings, currency: string) => readonly [readonly Texts[], readonly string[]];
}

/** When a price is valid that has no first month. */
const always = 'From the start';

/** What a month may cost, and what the models cost, each price from a month on. */
const shown: Readonly<Record<keyof typeof usageSettings, Shown>> = {
  budgets: {
    text: 'An alert is raised at 50, 80 and 100%. No request is stopped.',
    empty: 'No budgets.',
    resource: computed<Texts>('budget', 'budgets', [
      { field: 'model', title: 'Model', phone: 'title' },
      {
        field: 'amount',
        title: 'Each month',
        phone: 'start',
        isNumber: true,
        width: '136px',
        cell: ({ amount }) => withUnit(amount, ' each month'),
      },
    ]),
    read(settings, currency) {
      const { value, problems } = readBudgets(settings);
      const all = value.total === undefined ? [] : [['All models together', value.total] as const];
      const rows = [...all, ...value.models];
      return [
        rows.map(([model, amount], id) => ({ id, model, amount: formatMoney(amount, currency) })),
        problems,
      ];
    },
  },
  prices: {
    text: 'Per million tokens. Cached tokens cost the input price unless you set their own.',
    empty: 'No prices. Without them, the cost is unknown.',
    resource: computed<Texts>('price', 'prices', [
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
    ]),
    read(settings, currency) {
      const { value, problems } = readPrices(settings);
      const rows = [...value].flatMap(([model, ofModel]) =>
        ofModel.map(({ input, output, cached_input: cached = input, since }) => ({
          id: `${model} ${since}`,
          model,
          input: formatPrice(input, currency),
          output: formatPrice(output, currency),
          cached: formatPrice(cached, currency),
          since: since === undefined ? always : `From ${formatMonth(since)}`,
        })),
      );
      return [rows, problems];
    },
  },
};

/** The prices or the budgets, with the way to their form. */
export function SettingTable({ of }: { readonly of: keyof typeof usageSettings }) {
  const { text, empty, resource, read } = shown[of];
  const query = useUsage();
  const { settings = {}, usage } = query.data ?? {};
  const currency = usage?.currency ?? '';
  const [rows, problems] = useMemo(() => read(settings, currency), [read, settings, currency]);
  const list = useRows(resource, rows, query);
  const refusal = useSettingRefusal()(usageSettings[of]);
  const edit = (
    <Button
      variant="default"
      size="xs"
      renderRoot={(root) => <Link to="/settings" search={formAddress(of)} {...root} />}
    >
      {`Edit ${of}`}
    </Button>
  );
  return (
    <Section isPlain title={capital(of)} text={text} bar={refusal === undefined && edit}>
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
