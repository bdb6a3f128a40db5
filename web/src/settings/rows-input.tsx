import { ActionIcon, Button, Input, TextInput } from '@mantine/core';
import { useRef } from 'react';
import type { InputProps } from '../form/field.tsx';
import { Icon } from '../parts/icon.tsx';
import sheet from '../parts/sheet.module.css';
import { type ModelRow, modelProblem, type RowsKind, readRows } from './model-rows.ts';
import styles from './settings.module.css';

/** The rows of a setting that is a list of models with amounts. The value is the rows, as JSON. */
export const rowsInputOf = (kind: RowsKind) =>
  function RowsInput({ field: { about }, value, error, onChange }: InputProps) {
    const { amounts, problemOf, noteOf } = kind;
    const names = Object.keys(amounts);
    const rows = JSON.parse(String(value)) as readonly ModelRow[];
    // What is typed is shown as it is, and checked without white space.
    const trimmed = readRows(String(value));
    const add = useRef<HTMLButtonElement>(null);
    const change = (after: readonly ModelRow[]) => onChange(JSON.stringify(after));
    const set = (index: number, part: Partial<ModelRow>) =>
      change(rows.map((row, other) => (other === index ? { ...row, ...part } : row)));
    // Of a model that the form was opened for, the amounts are missing.
    const unpriced = rows.findIndex((row) => row.model !== '' && names.every((name) => !row[name]));
    return (
      <>
        {about !== undefined && <p className={`${sheet.text} ${sheet.quiet}`}>{about}</p>}
        <ul className={sheet.list}>
          {rows.map((row, index) => {
            const checked = trimmed[index] ?? row;
            return (
              <li key={index} className={styles.model} data-amounts={names.length}>
                {row.label === undefined ? (
                  <TextInput
                    label="Model"
                    // One that was just added.
                    autoFocus={row.model === ''}
                    data-autofocus={(index === 0 && unpriced < 0) || undefined}
                    maxLength={200}
                    value={row.model}
                    error={error && modelProblem(checked, trimmed)}
                    onChange={({ currentTarget }) => set(index, { model: currentTarget.value })}
                  />
                ) : (
                  <TextInput label="Model" readOnly variant="unstyled" value={row.label} />
                )}
                {names.map((name, place) => (
                  <TextInput
                    key={name}
                    label={amounts[name]}
                    data-autofocus={
                      (place === 0 && (index === unpriced || row.label !== undefined)) || undefined
                    }
                    inputMode="decimal"
                    value={row[name] ?? ''}
                    error={error && problemOf(checked[name] ?? '', name, checked)}
                    onChange={({ currentTarget }) => set(index, { [name]: currentTarget.value })}
                  />
                ))}
                {row.label === undefined && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    className={styles.remove ?? ''}
                    aria-label={`Remove ${row.model || 'the model'}`}
                    onClick={() => {
                      change(rows.filter((_row, other) => other !== index));
                      add.current?.focus();
                    }}
                  >
                    <Icon name="close" />
                  </ActionIcon>
                )}
                {noteOf?.(row) && <p className={`${sheet.text} ${sheet.quiet}`}>{noteOf(row)}</p>}
              </li>
            );
          })}
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
