import { z } from 'zod';
import { shownAs } from './fields.ts';

/** Returns the error text of a text that is too long. */
export const tooLong = (name: string, maximum: number) =>
  `${name} must be at most ${maximum.toLocaleString('en')} characters.`;

/** Counts characters as JSON schema does: Unicode code points, of at most two code units each. */
const isLongerThan = (text: string, maximum: number) => text.length > maximum && [...text].length > maximum;

/** Requires a text that is not blank and not too long, and keeps it as it is. */
export function boundedText(name: string, maximum: number, missing: string) {
  return z
    .string({ error: missing })
    .regex(/\S/, { error: missing })
    .refine((text) => !isLongerThan(text, maximum), { error: tooLong(name, maximum) })
    .meta(shownAs({ type: 'string', pattern: '\\S', maxLength: maximum }));
}
