import type { Column } from '../../terminal/columns/column.ts';
import { ago } from '../../terminal/time.ts';
import { checkFields, fieldText, type ListOf } from './list-of.ts';

/**
 * Returns the columns that `--columns` names: those of the table by their heading or field, and any other field of the rows.
 *
 * @throws UsageError for an unknown name
 */
export async function chooseColumns<Row extends object>(
  columns: readonly Column<Row>[],
  asked: string,
  list: ListOf,
): Promise<readonly Column<Row>[]> {
  const names = asked.split(',').map((name) => name.trim());
  const found = new Map<string, Column<Row>>();
  for (const column of columns) {
    for (const name of namesOf(column)) if (!found.has(name)) found.set(name, column);
  }
  const fields = await list.fields();
  const own = columns.map(({ heading }) => nameOf(heading)).filter((name) => name !== '');
  checkFields(
    names.filter((name) => !found.has(name)),
    [...new Set([...own, ...fields])],
    'column',
  );
  // A chosen column is never dropped.
  return names.map((name) => {
    const { dropAs: _dropAs, ...column } = found.get(name) ?? fieldColumn(name);
    return column as Column<Row>;
  });
}

const nameOf = (heading: string) => heading.replaceAll(' ', '_');

function namesOf<Row>({ heading, field }: Column<Row>): string[] {
  return [...(field === undefined ? [] : [field]), nameOf(heading)];
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Creates a column of a field that has none in the table. */
function fieldColumn<Row extends object>(name: string): Column<Row> {
  const exact = (row: Row) => fieldText(row, name);
  return {
    heading: name.replaceAll('_', ' '),
    value: (row) => (instant.test(exact(row)) ? ago(exact(row)) : exact(row)),
    exact,
    cut: true,
  };
}
