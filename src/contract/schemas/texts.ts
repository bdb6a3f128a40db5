import { z } from 'zod';
import { atMost } from './bounds.ts';
import { shownAs } from './fields.ts';

/** Requires a text that is not blank and not too long, and keeps it as it is. */
export function boundedText(maximum: number, missing: string) {
  return atMost(z.string({ error: missing }).regex(/\S/, { error: missing }), maximum).meta(
    shownAs({ type: 'string', pattern: '\\S', maxLength: maximum }),
  );
}
