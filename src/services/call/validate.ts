import { z } from 'zod';
import { BackofficeError, invalid, invalidField } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { isRecord } from '../../shared/is-record.ts';

/** More than any request needs, and safe for recursive code. */
const maxDepth = 32;

export const tooDeep = invalid(`The request must not be nested deeper than ${maxDepth} levels.`);

/**
 * Returns a copy of a JSON value that is safe for every part of the service: strings are well-formed, without NUL
 * (Postgres' text cannot hold it), nested no deeper than 32. Keys like `__proto__` stay keys.
 *
 * @throws BackofficeError `invalid` with a sentence that names the field
 */
export function cleanInput(value: unknown, path = '', depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) throw new BackofficeError(tooDeep);
  if (Array.isArray(value)) {
    return value.map((item, index) => cleanInput(item, `${path}[${index}]`, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = cleanText(key, 'A key', path);
      return [name, cleanInput(item, path === '' ? name : `${path}.${name}`, depth + 1)];
    }),
  );
}

function cleanText(text: string, subject: string, param = subject): string {
  if (text.includes('\0')) {
    throw new BackofficeError(invalidField(param, `${subject} must not contain a NUL character.`));
  }
  return text.toWellFormed();
}

/** Returns the fields of an input. An input that is not an object has none, so it gets the error of a missing field. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return isRecord(input) ? input : {};
}

/** Returns the input as the handler receives it, or refuses it with the first problem in the schema's order. */
export function parseInput(schema: z.ZodType, fields: Readonly<Record<string, unknown>>): unknown {
  const result = schema.safeParse(fields, { error: describeIssue });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const error = invalid(issue?.message ?? 'The request is not valid.');
  throw new BackofficeError({ ...error, param: issue?.path.map(String).join('.') });
}

/** Returns a sentence that names the field, for a problem that the contract has no text for. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const field = issue.path?.join('.') ?? '';
  if (issue.code === 'invalid_type') return `${field} must be ${withArticle(issue.expected)}.`;
  if (issue.code !== 'invalid_union') return undefined;
  const expected = issue.errors
    .flat()
    .flatMap((each) => (each.code === 'invalid_type' ? [withArticle(each.expected)] : []));
  return expected.length === 0 ? `${field} is not valid.` : `${field} must be ${expected.join(' or ')}.`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The answer of an operation to a caller who has to do something first: its `pending`. */
export class Pending<Answer> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}

/** Checks and returns an answer. Not its parsed copy: zod's records drop keys such as __proto__. */
export function checkOutput(operation: Operation, output: unknown): unknown {
  const { schema, answer } =
    output instanceof Pending
      ? { schema: operation.pending ?? z.never(), answer: output.answer }
      : { schema: operation.output, answer: output };
  const result = schema.safeParse(answer);
  if (!result.success)
    throw new Error(
      `The output of ${operation.id} does not match its schema: ${z.prettifyError(result.error)}`,
    );
  return output;
}
