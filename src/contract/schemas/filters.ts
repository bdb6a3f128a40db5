import { z } from 'zod';
import { toInstant } from '../../shared/time.ts';
import { didYouMean } from '../did-you-mean.ts';
import { isEmptySearch } from '../empty-search.ts';
import { busy, invalid } from '../errors.ts';
import { maxSearchLength } from '../fields/bounds.ts';
import { refusals } from '../refusals.ts';
import { isAtMost } from './bounds.ts';
import { parsed, shownAs } from './fields.ts';

const oneOrMore = 'Several are separated by commas.';

/** Accepts a text to filter by; an empty text does not filter. */
export const filterText = (description: string) =>
  z
    .string()
    .optional()
    .transform((value) => (value === '' ? undefined : value))
    .meta(shownAs({ type: 'string', description }));

/** Splits a filter at its commas. Returns undefined for an empty text, which does not filter, and none for only commas. */
function splitWords(value: string | undefined): readonly string[] | undefined {
  return value === undefined || value === '' ? undefined : value.split(',').filter((word) => word !== '');
}

/** Rejects a list of only commas, which a script sends whose variables are empty: without the filter, all rows match. */
const onlyCommas = (name: string) => `${name} has only commas. Send at least one value, or leave it out.`;

export const filterTexts = (name: string, description: string) =>
  z
    .string()
    .optional()
    .transform(splitWords)
    .refine((texts) => texts?.length !== 0, { error: onlyCommas(name) })
    .meta(shownAs({ type: 'string', description: `${description} ${oneOrMore}`, pattern: '^$|[^,]' }));

const wrongWord = (name: string, words: readonly string[], given = '') =>
  `${name} must be one of: ${words.join(', ')}.${didYouMean(given, words)}`;

/** Accepts one of the words, and nothing or the empty text for the fallback. */
export function oneOf<const Word extends string, Fallback extends Word | undefined>(
  name: string,
  words: readonly Word[],
  fallback: Fallback,
  description: string,
) {
  return parsed(
    z.string({ error: wrongWord(name, words) }),
    (given) => wrongWord(name, words, given),
    (given) => words.find((known) => known === given),
    fallback,
  ).meta(
    shownAs({
      type: 'string',
      enum: words,
      ...(fallback === undefined ? {} : { default: fallback }),
      description,
    }),
  );
}

export function filterWords<const Word extends string>(
  name: string,
  words: readonly Word[],
  description: string,
) {
  return z
    .string({ error: wrongWord(name, words) })
    .optional()
    .transform((value, context): readonly Word[] | undefined => {
      const given = splitWords(value);
      const unknown = given?.find((word) => !(words as readonly string[]).includes(word));
      if (unknown === undefined && given?.length !== 0) return given as readonly Word[] | undefined;
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
}

const wrongTime = (name: string) => `${name} must be an ISO 8601 time.`;

const time = (name: string, description: string) =>
  parsed(z.string(), wrongTime(name), toInstant)
    .meta(shownAs({ type: 'string', format: 'date-time', description }))
    .register(refusals, { errors: [invalid(wrongTime(name))] });

/** The bounds of a list in time: `since` is included, `until` is not. */
export const timeBounds = {
  since: time('since', 'Only rows at or after this time.'),
  until: time('until', 'Only rows before this time.'),
};

const searchTooLong = `q must be at most ${maxSearchLength} characters. Search for fewer words.`;
export const searchTooSlow = invalid(
  'The search took too long. Search for a longer or rarer word, or in a shorter period with since and until.',
);

/** Accepts the words that a list is searched for; `where` names the texts. An empty search does not filter. */
export const searchParameter = (where: string) =>
  z
    .string()
    .optional()
    .transform((value, context) => {
      if (value !== undefined && !isAtMost(value, maxSearchLength)) {
        context.addIssue({ code: 'custom', message: searchTooLong });
        return z.NEVER;
      }
      return value === undefined || isEmptySearch(value) ? undefined : value.trim();
    })
    .meta(
      shownAs({
        type: 'string',
        maxLength: maxSearchLength,
        description: `Only rows that contain all of these words in ${where}, in any order, also inside other words. Case and accents are ignored.`,
      }),
    )
    .register(refusals, { errors: [invalid(searchTooLong), searchTooSlow, busy] });
