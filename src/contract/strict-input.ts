import { z } from 'zod';
import { type DocumentedError, invalidField } from './errors.ts';
import { type Operation, readsQuery } from './operation.ts';
import { didYouMean } from './schemas/nearest.ts';

/** Returns the names of the fields that a schema reads, or undefined if it reads any. A form of a union is one of them. */
export function fieldNamesOf(schema: z.core.$ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodObject) {
    const { catchall } = schema.def;
    const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
    return isOpen ? undefined : Object.keys(schema.shape);
  }
  if (schema instanceof z.ZodPipe) return fieldNamesOf(schema.def.in);
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const forms = schema.def.options.map(fieldNamesOf);
  return forms.some((names) => names === undefined) ? undefined : [...new Set(forms.flat() as string[])];
}

const maxShownLength = 60;

/**
 * Returns the error of the first field that the operation does not read, or undefined if there is none. Only callers who
 * ask for strict handling get it, because the contract ignores unknown fields.
 */
export function unknownFieldError(
  operation: Pick<Operation, 'method' | 'input' | 'inBody'>,
  fields: Readonly<Record<string, unknown>>,
): DocumentedError | undefined {
  const known = fieldNamesOf(operation.input);
  const name = known && Object.keys(fields).find((each) => !known.includes(each));
  if (known === undefined || name === undefined) return undefined;
  const kind = readsQuery(operation) ? 'parameter' : 'field';
  const shown = name.length > maxShownLength ? `${name.slice(0, maxShownLength)}…` : name;
  return invalidField(name, `Unknown ${kind}: ${JSON.stringify(shown)}.${didYouMean(name, known)}`);
}
