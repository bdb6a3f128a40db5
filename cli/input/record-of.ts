import { z } from 'zod';
import { isRecord } from '../../src/shared/is-record.ts';

/** Parses a JSON object by names that people choose. zod's own records drop the name `__proto__`. */
export function recordOf<Value>(name: z.ZodType<string>, value: z.ZodType<Value>) {
  return z
    .custom<Record<string, unknown>>(isRecord, { error: 'It must be a JSON object' })
    .transform((record, context) => {
      const entries = Object.entries(record).map(([key, each]): [string, Value] => {
        const parsed = value.safeParse(each);
        const named = name.safeParse(key);
        const issues = [...(named.error?.issues ?? []), ...(parsed.error?.issues ?? [])];
        for (const { message, path } of issues)
          context.addIssue({ code: 'custom', message, path: [key, ...path] });
        return [key, parsed.data as Value];
      });
      return Object.fromEntries(entries);
    });
}
