import { z } from 'zod';
import { busy, invalid } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { isAtMost } from './bounds.ts';
import { shownAs } from './fields.ts';

const maxSearchCharacters = 200;

const tooLong = `q must be at most ${maxSearchCharacters} characters. Search for fewer words.`;
const tooSlow =
  'The search took too long. Search for a longer or rarer word, or in a shorter period with since and until.';

const searchTooLong = invalid(tooLong);
export const searchTooSlow = invalid(tooSlow);

/** The documented errors of a list that can be searched. */
const searchErrors = [searchTooLong, searchTooSlow, busy];

/**
 * Accepts the words that a list is searched for. A blank text does not filter.
 *
 * @param where - names the texts that are searched
 */
export const searchParameter = (where: string) =>
  z
    .string()
    .optional()
    .transform((value, context) => {
      if (value !== undefined && !isAtMost(value, maxSearchCharacters)) {
        context.addIssue({ code: 'custom', message: tooLong });
        return z.NEVER;
      }
      const words = value?.trim();
      return words === '' ? undefined : words;
    })
    .meta(
      shownAs({
        type: 'string',
        maxLength: maxSearchCharacters,
        description: `Only rows that contain all of these words in ${where}, in any order, also inside other words. Case and accents are ignored.`,
      }),
    )
    .register(refusals, { errors: searchErrors });
