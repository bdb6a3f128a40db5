import type { Issue } from '../issue-queries.ts';
import type { IssueTexts } from './issue-fields.tsx';

/** What is in the form of an issue. */
export interface IssueValues extends IssueTexts {
  readonly status: Issue['status'];
}

/** The names of the fields. */
export const issueFields = [
  'title',
  'category',
  'severity',
  'status',
  'description',
  'steps_to_reproduce',
] as const;

/** Returns what the form of an issue starts from. */
export function valuesOf(issue: Issue): IssueValues {
  return pick(issue, issueFields) as IssueValues;
}

/** Returns some of the values. */
export function pick(values: IssueValues, names: readonly (keyof IssueValues)[]): Partial<IssueValues> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
