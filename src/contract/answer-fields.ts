import { z } from 'zod';
import { type OperationId, operationOf } from './registry.ts';

/**
 * Returns the fields of the rows of a list, in their order: those that each row has, and those that are asked for.
 *
 * @param field - the field of the answer that holds the rows
 * @param included - a field that `include` adds
 */
export function rowFieldsOf(id: OperationId, field: string, included?: string): readonly string[] {
  for (const { shape } of formsOf(operationOf(id).output)) {
    const rows = withoutOptional(shape[field]);
    if (!(rows instanceof z.ZodArray)) continue;
    return formsOf(rows.element).flatMap((row) =>
      Object.entries(row.shape)
        .filter(([name, schema]) => !isOptional(schema) || name === included)
        .map(([name]) => name),
    );
  }
  return [];
}

/** Returns the fields that the answer of an operation may have. */
export function answerFieldsOf(id: OperationId): readonly string[] {
  return formsOf(operationOf(id).output).flatMap(({ shape }) => Object.keys(shape));
}

/**
 * Reports whether a document has the fields that each answer of an operation has. It may have more: a newer service adds
 * fields.
 */
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
