import type { Operation } from '../../contract/operation.ts';

/** Returns the examples of an operation's input or output: a single one as `example`, several by name. */
export function examplesOf({ example, otherExamples = {} }: Operation, side: 'input' | 'output') {
  const others = Object.entries(otherExamples).filter(([, other]) => other[side] !== undefined);
  const main = example?.[side];
  if (main === undefined) return {};
  if (others.length === 0) return { example: main };
  return {
    examples: named([
      ['Example', main],
      ...others.map(([title, other]): [string, unknown] => [title, other[side]]),
    ]),
  };
}

/** Returns OpenAPI's map of examples, with their titles in kebab case as keys. */
export function named(values: readonly (readonly [title: string, value: unknown])[]) {
  return Object.fromEntries(
    values.map(([title, value]) => [
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, ''),
      { summary: title, value },
    ]),
  );
}
