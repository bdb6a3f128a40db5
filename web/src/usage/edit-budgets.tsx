import { TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  withModelBudget,
  withTotalBudget,
} from '../../../src/contract/known-settings/edit-token-settings.ts';
import { budgetsKey, isBudget, readBudgets } from '../../../src/contract/known-settings/token-settings.ts';
import styles from './edit-usage.module.css';
import { changedRows, type ModelRow, rowProblems } from './model-row.ts';
import { ModelRows } from './model-rows.tsx';
import { SettingDialog } from './setting-dialog.tsx';
import type { Settings } from './usage-queries.ts';

interface BudgetRow extends ModelRow {
  readonly amount: string;
}

interface Budgets {
  readonly total: string;
  readonly rows: BudgetRow[];
}

const emptyRow: BudgetRow = { model: '', amount: '' };

interface EditBudgetsProps {
  readonly settings: Settings;
  readonly currency: string;
  readonly onClose: () => void;
}

/** Edits the budgets of a month: that of all models together, and those of single ones. */
export function EditBudgets({ settings, currency, onClose }: EditBudgetsProps) {
  const [before] = useState(() => budgetsOf(settings));
  return (
    <SettingDialog
      title="Budgets"
      settingKey={budgetsKey}
      settings={settings}
      entriesOf={budgetsByName}
      before={before}
      empty={{ total: '', rows: [] }}
      initialValues={{ total: before.total, rows: [...before.rows] }}
      validate={problemsOf}
      textOf={textOf}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.text}>
            What a calendar month may cost, in {currency}. An alert is raised at 50, 80 and 100%. No request
            is stopped.
          </p>
          <TextInput
            label="All models together"
            data-autofocus
            description="Leave it empty for no budget."
            inputMode="decimal"
            key={form.key('total')}
            {...form.getInputProps('total')}
          />
          <ModelRows form={form} fields={[['amount', 'Budget']]} emptyRow={emptyRow} />
        </>
      )}
    </SettingDialog>
  );
}

function budgetsOf(settings: Settings): Budgets {
  const { total = '', models } = readBudgets(settings).value;
  return { total, rows: [...models].map(([model, amount]) => ({ model, amount })) };
}

/** Returns the budgets with what people call them. */
function budgetsByName(settings: Settings): ReadonlyMap<string, string> {
  const { total, rows } = budgetsOf(settings);
  return new Map([
    ...(total === '' ? [] : [['All models together', total] as const]),
    ...rows.map(({ model, amount }) => [model, amount] as const),
  ]);
}

const budgetProblem = (text: string) => (isBudget(text) ? null : 'Enter an amount above 0, such as 50.00.');

function problemsOf({ total, rows }: Budgets): Record<string, string | null> {
  const amount = total.trim();
  return {
    total: amount === '' ? null : budgetProblem(amount),
    ...rowProblems(rows, { amount: budgetProblem }),
  };
}

function textOf(stored: string | undefined, before: Budgets, { total, rows }: Budgets): string | undefined {
  const { removed, changed } = changedRows(before.rows, rows);
  let text = stored;
  if (total.trim() !== before.total) text = withTotalBudget(text, total.trim() || undefined) ?? text;
  for (const model of removed) text = withModelBudget(text, model, undefined) ?? text;
  for (const { model, amount } of changed) text = withModelBudget(text, model, amount) ?? text;
  return text;
}
