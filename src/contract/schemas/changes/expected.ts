import { z } from 'zod';
import type { DocumentedError } from '../../errors.ts';

const wrongExpected = 'expected must be an object of the fields that you saw.';

/**
 * Accepts `expected`: the fields of a row that the caller saw before changing it. Absent means that nothing is checked.
 * An unknown field is an error, because a misspelt one would check nothing.
 */
export function expectedFields<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z
    .strictObject(shape, {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys'
          ? `expected has an unknown field: ${JSON.stringify(keys?.[0])}. Known fields: ${names.join(', ')}.`
          : wrongExpected,
    })
    .partial()
    .optional()
    .meta({
      description:
        'The fields that you saw, with their values. If one has another value now, the answer is 409 and nothing is changed.',
    });
}

/** Returns the error of a change of something that is no longer what the caller saw. */
export function changedMeanwhile(what: string): DocumentedError {
  // A value at the end may end with a full stop itself.
  const end = /[.!?…]$/u.test(what) ? '' : '.';
  return { code: 'changed', text: `Changed meanwhile: ${what}${end}` };
}
