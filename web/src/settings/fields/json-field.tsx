import { Button } from '@mantine/core';
import { useId } from 'react';
import { formatJson, jsonProblem } from '../../parts/files/json-text.ts';
import { counted } from '../../parts/numbers.ts';
import styles from './json-field.module.css';
import type { FieldProps } from './setting-field.tsx';

/** A field for JSON, with numbers of lines. It says where the text stops being JSON, and what it holds. */
export function JsonField({ label, text, onChange, error }: FieldProps) {
  const id = useId();
  const problem = text.trim() === '' ? undefined : jsonProblem(text);
  const lines = text.split('\n').length;
  const message = error ?? (problem && `Line ${problem.line}, column ${problem.column}: ${problem.message}.`);
  return (
    <div>
      <div className={styles.frame} data-invalid={message !== undefined || undefined}>
        <pre className={styles.numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => index + 1).join('\n')}
        </pre>
        <textarea
          className={styles.text}
          aria-label={label}
          aria-invalid={message !== undefined}
          aria-describedby={id}
          rows={Math.max(lines, 3)}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          // biome-ignore lint/a11y/noAutofocus: the person has just opened this field.
          autoFocus
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <div className={styles.foot}>
        <p id={id} className={styles.message} role={message === undefined ? undefined : 'alert'}>
          {message ?? summaryOf(text)}
        </p>
        <Button
          size="compact-sm"
          variant="subtle"
          disabled={problem !== undefined}
          onClick={() => onChange(formatJson(text))}
        >
          Format
        </Button>
      </div>
    </div>
  );
}

const maxNames = 5;

/** Says what a text holds, such as `An object with 2 entries: small-1, large-1`. */
function summaryOf(text: string): string {
  if (text.trim() === '') return 'Empty: the default counts.';
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return `A list with ${entries(value.length)}`;
  if (typeof value !== 'object' || value === null) return 'A single value';
  const names = Object.keys(value);
  const shown = names.slice(0, maxNames).join(', ') + (names.length > maxNames ? ', …' : '');
  return `An object with ${entries(names.length)}${names.length === 0 ? '' : `: ${shown}`}`;
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}
