import { z } from 'zod';
import { toInstant } from '../../shared/time.ts';
import { invalid } from '../errors.ts';
import { refusals } from '../refusals.ts';
import { shownAs } from './fields.ts';
import { didYouMean } from './nearest.ts';

const oneOrMore = 'Several are separated by commas.';

/** Accepts a text to filter by; an empty text does not filter. */
export const filterText = (description: string) =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .meta(shownAs({ type: 'string', description }));

/** Splits a filter at its commas. Returns undefined if nothing is left, which does not filter. */
function splitWords(value: string | undefined): readonly string[] | undefined {
  const words = (value ?? '').split(',').filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

/** Accepts one or several texts to filter by. */
export const filterTexts = (description: string) =>
  z
    .string()
    .optional()
    .transform(splitWords)
    .meta(shownAs({ type: 'string', description: `${description} ${oneOrMore}` }));

const wrongWord = (name: string, words: readonly string[], given = '') =>
  `${name} must be one of: ${words.join(', ')}.${didYouMean(given, words)}`;

/** Accepts one of the words, and nothing or the empty text for the fallback. Also returns the error for another word. */
export function oneOf<const Word extends string, Fallback extends Word | undefined>(
  name: string,
  words: readonly Word[],
  fallback: Fallback,
  description: string,
) {
  const schema = z
    .string({ error: wrongWord(name, words) })
    .optional()
    .transform((given, context): Word | Fallback => {
      if (given === undefined || given === '') return fallback;
      const word = words.find((known) => known === given);
      if (word !== undefined) return word;
      context.addIssue({ code: 'custom', message: wrongWord(name, words, given) });
      return z.NEVER;
    })
    .meta(
      shownAs({
        type: 'string',
        enum: words,
        ...(fallback === undefined ? {} : { default: fallback }),
        description,
      }),
    );
  return { schema, error: invalid(wrongWord(name, words)) };
}

/** Accepts one or several of the words to filter by. Also returns the error for any other word. */
export function filterWords<const Word extends string>(
  name: string,
  words: readonly Word[],
  description: string,
) {
  const schema = z
    .string({ error: wrongWord(name, words) })
    .optional()
    .transform((value, context): readonly Word[] | undefined => {
      const given = splitWords(value);
      const unknown = given?.find((word) => !(words as readonly string[]).includes(word));
      if (unknown === undefined) return given as readonly Word[] | undefined;
      context.addIssue({ code: 'custom', message: wrongWord(name, words, unknown) });
      return z.NEVER;
    })
    .meta(
      shownAs({
        type: 'string',
        description: `${description} One of: ${words.join(', ')}. ${oneOrMore}`,
        pattern: `^((${words.join('|')})(,(${words.join('|')}))*)?$`,
        examples: [words.slice(0, 2).join(',')],
      }),
    );
  return { schema, error: invalid(wrongWord(name, words)) };
}

const wrongTime = (name: string) => `${name} must be an ISO 8601 time.`;

/** Accepts a time that bounds a list. */
const time = (name: string, description: string) =>
  z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined || value === '') return undefined;
      const instant = toInstant(value);
      if (instant !== undefined) return instant;
      context.addIssue({ code: 'custom', message: wrongTime(name) });
      return z.NEVER;
    })
    .meta(shownAs({ type: 'string', format: 'date-time', description }))
    .register(refusals, { errors: [invalid(wrongTime(name))] });

/** The bounds of a list in time: `since` is included, `until` is not. */
export const timeBounds = {
  since: time('since', 'Only rows at or after this time.'),
  until: time('until', 'Only rows before this time.'),
};
