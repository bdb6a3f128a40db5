import { ActionIcon, Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { Icon } from '../parts/icon.tsx';
import styles from './edit-usage.module.css';
import type { ModelRow } from './model-row.ts';

interface ModelRowsProps<Row extends ModelRow> {
  readonly form: UseFormReturnType<{ readonly rows: Row[] }>;
  /** The fields beside the model, with their labels. */
  readonly fields: readonly (readonly [name: keyof Row & string, label: string])[];
  readonly emptyRow: Row;
  /** Returns what is said below a row. */
  readonly noteOf?: (row: Row) => string | undefined;
}

/** The rows of the models, which are added and removed. */
export function ModelRows<Row extends ModelRow>({ form, fields, emptyRow, noteOf }: ModelRowsProps<Row>) {
  const { rows } = form.getValues();
  const isForOne = rows.some((row) => isUnpriced(row, fields[0]?.[0]));
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const count = useRef(rows.length);
  // The focus follows: to the row that was added, or away from the one that is gone.
  useEffect(() => {
    if (rows.length > count.current) list.current?.lastElementChild?.querySelector('input')?.focus();
    if (rows.length < count.current) add.current?.focus();
    count.current = rows.length;
  }, [rows.length]);
  return (
    <>
      <ul ref={list} className={styles.rows}>
        {rows.map((row, index) => (
          <li key={form.key(`rows.${index}`)} className={styles.row} data-fields={fields.length + 1}>
            <TextInput
              label="Model"
              data-autofocus={(index === 0 && !isForOne) || undefined}
              maxLength={200}
              key={form.key(`rows.${index}.model`)}
              {...form.getInputProps(`rows.${index}.model`)}
            />
            {fields.map(([name, label], place) => (
              <TextInput
                // Of a model that the form was opened for.
                data-autofocus={(place === 0 && isUnpriced(row, name)) || undefined}
                key={form.key(`rows.${index}.${name}`)}
                label={label}
                inputMode="decimal"
                {...form.getInputProps(`rows.${index}.${name}`)}
              />
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              className={styles.remove ?? ''}
              aria-label={`Remove ${row.model === '' ? 'the model' : row.model}`}
              onClick={() => form.removeListItem('rows', index)}
            >
              <Icon name="close" />
            </ActionIcon>
            {noteOf?.(row) && <p className={styles.note}>{noteOf(row)}</p>}
          </li>
        ))}
      </ul>
      <div>
        <Button ref={add} variant="default" size="xs" onClick={() => form.insertListItem('rows', emptyRow)}>
          Add a model
        </Button>
      </div>
    </>
  );
}

/** Reports whether a row has a model and no amount, as the form is opened for a model without a price. */
function isUnpriced<Row extends ModelRow>(row: Row, name: keyof Row | undefined): boolean {
  return row.model !== '' && name !== undefined && row[name] === '';
}
