import { Button, Input, TextInput } from '@mantine/core';
import { useRef } from 'react';
import type { InputProps } from '../form/field.tsx';
import { IconButton } from '../parts/buttons.tsx';
import { formatMonth } from '../parts/months.tsx';
import sheet from '../parts/sheet.module.css';
import { cellProblem, type ModelRow, type RowsKind } from './model-rows.ts';
import styles from './settings.module.css';

/** The rows of a setting that is a list of models with amounts. The value is the rows, as JSON. */
export const rowsInputOf = (kind: RowsKind) =>
  function RowsInput({ field: { about }, value, error, onChange }: InputProps) {
    const columns = Object.entries({ model: 'Model', ...kind.amounts });
    const rows = JSON.parse(String(value)) as readonly ModelRow[];
    const add = useRef<HTMLButtonElement>(null);
    const change = (after: readonly ModelRow[]) => onChange(JSON.stringify(after));
    const set = (index: number, part: Partial<ModelRow>) =>
      change(rows.map((row, other) => (other === index ? { ...row, ...part } : row)));
    // It opens at the first amount of the total, or of the model that it was opened for, which has none.
    const waiting = rows.findIndex(
      ({ model, label, ...amounts }) => label ?? (model !== '' && !Object.values(amounts).some(Boolean)),
    );
    const [firstRow, firstColumn] = waiting === -1 ? [0, 0] : [waiting, 1];
    return (
      <>
        {about !== undefined && <p className={`${sheet.text} ${sheet.quiet}`}>{about}</p>}
        <ul className={sheet.list}>
          {rows.map((row, index) => (
            <li key={index} className={styles.model} data-amounts={columns.length - 1}>
              {columns.map(([name, label], column) => {
                const isFixed = column === 0 && row.label !== undefined;
                const text = (isFixed ? row.label : row[name]) ?? '';
                return (
                  <TextInput
                    key={name}
                    label={label}
                    readOnly={isFixed}
                    variant={isFixed ? 'unstyled' : 'default'}
                    data-autofocus={(index === firstRow && column === firstColumn) || undefined}
                    // A row that was just added.
                    autoFocus={column === 0 && text === ''}
                    inputMode={column === 0 ? 'text' : 'decimal'}
                    maxLength={200}
                    value={text}
                    error={error && cellProblem(kind, name, row, rows)}
                    onChange={({ currentTarget }) => set(index, { [name]: currentTarget.value })}
                  />
                );
              })}
              {row.label === undefined && (
                <IconButton
                  icon="close"
                  label={`Remove ${row.model || 'the model'}`}
                  className={styles.remove ?? ''}
                  onClick={() => {
                    change(rows.filter((_row, other) => other !== index));
                    add.current?.focus();
                  }}
                />
              )}
              {row.since && <p className={`${sheet.text} ${sheet.quiet}`}>Since {formatMonth(row.since)}</p>}
            </li>
          ))}
        </ul>
        <div>
          <Button ref={add} variant="default" size="xs" onClick={() => change([...rows, { model: '' }])}>
            Add a model
          </Button>
        </div>
        {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
      </>
    );
  };
