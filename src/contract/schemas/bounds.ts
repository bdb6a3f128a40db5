import type { z } from 'zod';
import { groupDigits } from '../../shared/text.ts';

/** The maximum length of a text that is stored, in code points. Rows that have a longer one already keep it. */
export const maxTextLength = 100_000;

export type Path = readonly PropertyKey[];

/** Returns the name of a field in an input, such as `records[3].model`. */
export function nameOfPath(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Requires a text to have at most so many characters. The error names the field. */
export function atMost<Text extends z.ZodType<string, string>>(
  schema: Text,
  maxLength = maxTextLength,
): Text {
  return schema.refine((text) => isAtMost(text, maxLength), {
    error: ({ path = [] }) => tooLong(nameOfPath(path), maxLength),
  });
}

/** Reports whether a text has at most so many characters. A character has one or two code units. */
export function isAtMost(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  return text.length <= 2 * maxLength && [...text].length <= maxLength;
}

export function tooLong(field: string, maxLength: number): string {
  return `${field} must be at most ${groupDigits(maxLength)} characters.`;
}

/** Control characters, also of direction: with them a name could write to a terminal, or pass for another name. */
const controls = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/** Reports whether a text has no control characters, also none of bidirectional text. */
export function isPlainLine(text: string): boolean {
  return !controls.test(text);
}

/** Requires a text without control characters. The error names the field. */
export function plainLine<Text extends z.ZodType<string, string>>(schema: Text, field: string): Text {
  return schema.refine(isPlainLine, { error: `${field} must not contain control characters.` });
}
