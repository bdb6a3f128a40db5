import type { CSSProperties, ReactNode } from 'react';
import type { Field, Noun } from '../../../src/contract/fields/field.ts';
import { Mark } from '../parts/mark.tsx';
import { Moment, RelativeTime } from '../parts/moment.tsx';
import sheet from '../parts/sheet.module.css';
import { formatCount, wordIn } from '../parts/words.ts';
import { propertyOf } from './address.ts';
import { type Assignee, nameOf } from './admins.ts';
import type { AnyRow, Column } from './rows.ts';

/** A column with what follows from its field. */
export interface ShownColumn<Row> extends Column<Row> {
  readonly title: string;
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  readonly sorts: boolean;
  readonly isNumber: boolean;
}

const widths: Partial<Record<Field['kind'], string>> = {
  id: '64px',
  word: '104px',
  count: '88px',
  time: '136px',
  admin: 'minmax(112px, 0.2fr)',
  labels: 'minmax(112px, 0.3fr)',
  key: 'minmax(112px, 0.3fr)',
};

/** Returns the columns of a noun with their titles, widths and cells. */
export function cellsOf<Row extends AnyRow>(
  noun: Pick<Noun, 'fields'>,
  columns: readonly Column<Row>[],
): readonly ShownColumn<Row>[] {
  return columns.map((column) => {
    const field: Field = noun.fields[column.field] ?? { kind: 'line', label: column.field, example: '' };
    const read = (row: Row) => row[propertyOf(column.field, field) as keyof Row];
    return {
      title: field.label,
      width: widths[column.isNumber ? 'count' : field.kind] ?? 'minmax(180px, 1fr)',
      sorts: field.sort !== undefined,
      isNumber: field.kind === 'count',
      cell: (row) => shownValue(field, read(row)),
      ...column,
    };
  });
}

/** Shows a value of a field. */
export function shownValue(field: Field, value: unknown): ReactNode {
  const { kind, words } = field;
  if (value === null || value === undefined || value === '') return '';
  if (kind === 'time') return <Moment at={value as string} />;
  if (kind === 'admin') return nameOf(value as Assignee);
  if (kind === 'labels')
    return (value as readonly string[]).map((label) => (
      <span key={label} className={sheet.tag}>
        {label}
      </span>
    ));
  if (kind === 'id') return <span className={sheet.number}>{String(value)}</span>;
  if (typeof value === 'number') return formatCount(value);
  if (kind === 'word' && words !== undefined)
    return <Mark word={wordIn(field, String(value))} among={words} />;
  return <bdi>{String(value)}</bdi>;
}

/** A value that says what it is on a phone, where its column has no title. */
export const withUnit = (value: ReactNode, unit: string) => (
  <>
    {value}
    <span data-unit>{unit}</span>
  </>
);

/** Returns the style that gives the head and each row the same columns. */
export function tracksOf(
  columns: readonly Pick<ShownColumn<never>, 'width' | 'from'>[],
  isSelectable: boolean,
  hasMenu: boolean,
): CSSProperties {
  const tracks = (hidden: readonly Column<never>['from'][]) =>
    [
      ...(isSelectable ? ['28px'] : []),
      ...columns.filter(({ from }) => from === undefined || !hidden.includes(from)).map(({ width }) => width),
      ...(hasMenu ? ['36px'] : []),
    ].join(' ');
  return {
    '--tracks': tracks([]),
    '--tracks-medium': tracks(['wide']),
    '--tracks-narrow': tracks(['wide', 'medium']),
    '--tracks-least': tracks(['wide', 'medium', 'narrow']),
  } as CSSProperties;
}

/** Returns a column of times as their distance from now. For short lists: each is drawn again as time passes. */
export function agoColumn<Row>(column: Column<Row>, none = ''): Column<Row> {
  return {
    width: '136px',
    ...column,
    cell(row) {
      const at = row[column.field as keyof Row] as string | null | undefined;
      return at ? <RelativeTime at={at} /> : <span className={sheet.quiet}>{none}</span>;
    },
  };
}
