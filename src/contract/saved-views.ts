import type { z } from 'zod';
import { momentExamples, parseMoment } from '../shared/moments.ts';
import { didYouMean } from './did-you-mean.ts';
import { type DocumentedError, invalidField } from './errors.ts';
import type { ViewList } from './fields/views.ts';
import { operationOf } from './registry.ts';

/** Parameters of a list that say which part of it is answered, and not which rows it has. */
const others: readonly string[] = ['sort', 'limit', 'cursor', 'count', 'include', 'period', 'after'];
const times: readonly string[] = ['since', 'until'];

const parametersOf = (list: ViewList): Readonly<Record<string, z.ZodType>> =>
  operationOf(`${list}.list`).input.shape;

/** Returns what a list would refuse of a filter or an order, or undefined if it takes them. */
export function viewMistake(
  list: ViewList,
  filter: Readonly<Record<string, string>>,
  sort: string | null | undefined,
): DocumentedError | undefined {
  const parameters = parametersOf(list);
  const names = Object.keys(parameters).filter((name) => !others.includes(name));
  for (const [name, value] of Object.entries(filter)) {
    if (!names.includes(name))
      return invalidField(
        `filter.${name}`,
        `filter.${name} is no filter of ${list}.${didYouMean(name, names)}`,
      );
    const mistake = times.includes(name) ? timeMistake(name, value) : mistakeOf(parameters[name], value);
    if (mistake !== undefined) return invalidField(`filter.${name}`, `filter.${mistake}`);
  }
  const mistake = mistakeOf(parameters.sort, sort ?? undefined);
  return mistake === undefined ? undefined : invalidField('sort', mistake);
}

const mistakeOf = (schema: z.ZodType | undefined, value: string | undefined): string | undefined =>
  schema?.safeParse(value).error?.issues[0]?.message;

const timeMistake = (name: string, value: string) =>
  value === '' || parseMoment(value) !== undefined
    ? undefined
    : `${name} must be a time, such as ${momentExamples}.`;
