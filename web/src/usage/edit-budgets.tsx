import { TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  withModelBudget,
  withTotalBudget,
} from '../../../src/contract/known-settings/edit-token-settings.ts';
import { budgetsKey, isBudget, readBudgets } from '../../../src/contract/known-settings/token-settings.ts';
import { FormDialog } from '../parts/dialogs/form-dialog.tsx';
import styles from './edit-usage.module.css';
import { ModelRows, modelProblem } from './model-rows.tsx';
import { saveSetting } from './save-setting.ts';
import type { Settings } from './usage-queries.ts';
import { isEditable } from './usage-setting-values.ts';
import { useOvertaken } from './use-overtaken.tsx';

interface BudgetRow {
  readonly model: string;
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
  const {
    isEditable: hasForm,
    seen,
    action,
    onError,
    below,
  } = useOvertaken(budgetsKey, settings, budgetsByName);
  const [before] = useState(() => budgetsOf(settings));
  if (!hasForm) return null;
  return (
    <FormDialog
      title="Budgets"
      action={action}
      initialValues={{ total: before.total, rows: [...before.rows] }}
      validate={problemsOf}
      send={(after) =>
        saveSetting({ key: budgetsKey, name: 'Budgets', seen, text: textOf(seen, before, after) })
      }
      onDone={onClose}
      onError={onError}
      below={below}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.text}>
            What a calendar month may cost, in {currency}. An alert is raised at 50, 80 and 100 %. No request
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
    </FormDialog>
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

const wrongBudget = 'Enter an amount above 0, such as 50.00.';

function problemsOf({ total, rows }: Budgets): Record<string, string | null> {
  const entries = rows.flatMap(({ model, amount }, index) => [
    [`rows.${index}.model`, modelProblem(model, rows)] as const,
    [`rows.${index}.amount`, isBudget(amount.trim()) ? null : wrongBudget] as const,
  ]);
  const isRight = total.trim() === '' || isBudget(total.trim());
  return { total: isRight ? null : wrongBudget, ...Object.fromEntries(entries) };
}

/**
 * Returns the text of the setting with what was changed in the form. The rest stays as it is, unless the text cannot be
 * read.
 */
function textOf(seen: string | undefined, known: Budgets, { total, rows }: Budgets): string {
  const isReadable = isEditable({ [budgetsKey]: seen ?? '' }, budgetsKey);
  const before = isReadable ? known : { total: '', rows: [] };
  let text = isReadable ? seen : undefined;
  if (total.trim() !== before.total) text = withTotalBudget(text, total.trim() || undefined) ?? text;
  for (const { model } of before.rows) {
    if (!rows.some((row) => row.model.trim() === model))
      text = withModelBudget(text, model, undefined) ?? text;
  }
  for (const { model, amount } of rows) {
    const isKnown = before.rows.some((row) => row.model === model.trim() && row.amount === amount.trim());
    if (!isKnown) text = withModelBudget(text, model.trim(), amount.trim()) ?? text;
  }
  return text ?? '{}';
}
