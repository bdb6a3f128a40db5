import { z } from 'zod';
import type { DocumentedError } from '../../errors.ts';
import { refusals } from '../../refusals.ts';

/** Accepts an object of these fields. An unknown one is an error, because a misspelt one would do nothing. */
export function strictFields<Shape extends z.ZodRawShape>(name: string, shape: Shape, wrong: string) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `${name} has an unknown field: ${JSON.stringify(keys?.[0])}. Known fields: ${known}.`
        : wrong,
  });
}

/** Accepts what the caller of a change saw of a row. The example, such as `status is now Resolved`, is documented. */
export function expectedFields<Shape extends z.ZodRawShape>(shape: Shape, row: string, example: string) {
  return strictFields('expected', shape, 'expected must be an object of the fields that you saw.')
    .partial()
    .optional()
    .describe(
      'The fields that you saw, with their values. If one has another value now, the answer is 409 and nothing is changed.',
    )
    .register(refusals, { errors: [example, noLonger(row)].map(changedMeanwhile) });
}

/** Says that a row is gone that the caller of a change saw. */
export const noLonger = (row: string) => `the ${row} no longer exists`;

/** Returns the error of a change of something that is no longer what the caller saw. */
export function changedMeanwhile(what: string): DocumentedError {
  // A value at the end may end with a full stop itself.
  const end = /[.!?…]$/u.test(what) ? '' : '.';
  return { code: 'changed', text: `Changed meanwhile: ${what}${end}` };
}
