/** A row of a form: a model and its amounts, as they are typed. */
export interface ModelRow {
  readonly model: string;
}

/** Returns what is wrong with a text without the white space around it, or null. */
type Check = (text: string) => string | null;

/** Returns what is wrong with the rows of a form, by the names of its fields. */
export function rowProblems<Row extends ModelRow>(
  rows: readonly Row[],
  checks: Readonly<Record<Exclude<keyof Row & string, 'model'>, Check>>,
): Record<string, string | null> {
  const trimmed = rows.map(trim);
  const problems = trimmed.flatMap((row, index) => [
    [`rows.${index}.model`, modelProblem(row, trimmed)] as const,
    ...Object.entries<Check>(checks).map(
      ([name, check]) => [`rows.${index}.${name}`, check(String(row[name as keyof Row]))] as const,
    ),
  ]);
  return Object.fromEntries(problems);
}

function modelProblem({ model }: ModelRow, rows: readonly ModelRow[]): string | null {
  if (model === '') return 'Enter the name of the model, as its requests have it.';
  const isTwice = rows.filter((other) => other.model === model).length > 1;
  return isTwice ? 'This model is in the list twice.' : null;
}

/** Returns which models are no longer in the rows, and the rows that are new or changed. */
export function changedRows<Row extends ModelRow>(before: readonly Row[], after: readonly Row[]) {
  const rows = after.map(trim);
  return {
    removed: before.map(({ model }) => model).filter((model) => !rows.some((row) => row.model === model)),
    changed: rows.filter((row) => !before.some((known) => isSame(known, row))),
  };
}

function isSame<Row extends ModelRow>(one: Row, other: Row): boolean {
  return Object.entries(one).every(([name, text]) => other[name as keyof Row] === text);
}

function trim<Row extends ModelRow>(row: Row): Row {
  const trimmed: object = Object.fromEntries(
    Object.entries(row).map(([name, text]) => [name, String(text).trim()]),
  );
  return trimmed as Row;
}
