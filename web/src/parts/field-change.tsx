import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import sheet from './sheet.module.css';

interface FieldChangeProps<Value> {
  readonly label: string;
  /** Undefined if there was none, because the thing is new. */
  readonly before?: Value | undefined;
  /** Undefined if there is none any more. */
  readonly after?: Value | undefined;
}

/** A field before and after a change, in a line. */
export function ShortChange({ label, before, after }: FieldChangeProps<ReactNode>) {
  return (
    <p className={`${sheet.row} ${sheet.text}`}>
      <span className={sheet.quiet}>{label}</span>
      {before !== undefined && <span>{before}</span>}
      {before !== undefined && after !== undefined && (
        <span role="img" aria-label="became" className={sheet.row}>
          <Icon name="forward" />
        </span>
      )}
      {after !== undefined && <span>{after}</span>}
    </p>
  );
}

/** A long text before and after a change, which is shown on demand. */
export function LongChange({ label, before, after }: FieldChangeProps<string | null>) {
  return (
    <details>
      <summary>{before === undefined || after === undefined ? label : `${label} changed`}</summary>
      {before !== undefined && <Text title="Before" text={before} />}
      {after !== undefined && <Text title="After" text={after} />}
    </details>
  );
}

function Text({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <>
      <p className={sheet.quiet}>{title}</p>
      <p className={sheet.text} dir="auto">
        {text || 'Empty'}
      </p>
    </>
  );
}
