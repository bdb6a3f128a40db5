import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { type DocumentedError, invalidField } from './errors.ts';
import { inclusions } from './of-noun.ts';
import { type Operation, readsQuery } from './operation.ts';
import { type OperationId, operationOf } from './registry.ts';

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

/** Returns the error of the first field that the operation does not read, for callers who ask for strict handling. */
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

/** Returns the fields that each row of a list has, in their order, and those that `include` adds: `assignee,labels`. */
export function rowFieldsOf(id: OperationId, field: string, include = ''): readonly string[] {
  const included = include.split(',').map((name) => name.trim());
  for (const { shape } of formsOf(operationOf(id).output)) {
    const rows = withoutOptional(shape[field]);
    if (!(rows instanceof z.ZodArray)) continue;
    return formsOf(rows.element).flatMap((row) =>
      Object.entries(row.shape)
        .filter(
          ([name, schema]) => !isOptional(schema) || included.includes(inclusions.get(schema)?.word ?? name),
        )
        .map(([name]) => name),
    );
  }
  return [];
}

export function answerFieldsOf(id: OperationId): readonly string[] {
  return formsOf(operationOf(id).output).flatMap(({ shape }) => Object.keys(shape));
}

/** Reports whether a document has the fields of an answer. A newer service may add some. */
export function isAnswerOf(id: OperationId, document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  const { output, pending } = operationOf(id) as { output: z.ZodType; pending?: z.ZodType };
  const forms = [output, ...(pending === undefined ? [] : [pending])].flatMap(formsOf);
  return forms.some(({ shape }) =>
    Object.entries(shape).every(([name, field]) => isOptional(field) || Object.hasOwn(document, name)),
  );
}

/** Returns the objects that an answer may be: one, or those of a union. */
function formsOf(schema: unknown): readonly z.ZodObject[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(formsOf);
  return schema instanceof z.ZodObject ? [schema] : [];
}

const withoutOptional = (schema: unknown) => (schema instanceof z.ZodOptional ? schema.unwrap() : schema);

const isOptional = (field: unknown) => field instanceof z.ZodOptional;
