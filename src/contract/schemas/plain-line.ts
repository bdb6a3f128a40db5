import type { z } from 'zod';

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
