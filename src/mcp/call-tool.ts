import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createSchema } from 'zod-openapi';
import { BackofficeError } from '../contract/errors.ts';
import { readsQuery } from '../contract/operation.ts';
import type { AnyOperation } from '../contract/registry.ts';
import { cleanInput } from '../services/call/validate.ts';
import type { ExposedTool } from './exposed-tools.ts';

/** Bytes of an answer, and of all answers of a request. Longer ones fill the memory of an agent and of this process. */
const maxAnswerBytes = 4 * 1024 * 1024;
const tooLarge = 'The answer is larger than 4 MiB. Ask for fewer rows with limit.';
const tooLargeTogether =
  'The answers of the request are larger than 4 MiB together. Ask for fewer rows with limit, or in several requests.';
/** Bytes of a call's arguments as JSON, as for a request's body. */
const maxInputBytes = 1024 * 1024;

/** Runs an operation and writes the JSON text of its answer in pieces. */
type RunOperation = (
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

export interface ToolOptions {
  /** The ids of the operations that may be called although they change data. */
  readonly allowed: ReadonlySet<string>;
  readonly howToAllow: (id: string) => string;
  readonly run: RunOperation;
  readonly explain: (error: unknown) => string;
  /** The bytes of all answers of a request with several calls. Without it, each call is a request of its own. */
  readonly answers?: { bytes: number };
}

/** Calls a tool. Resolves with an error result if the operation fails, so that the agent can read why. */
export async function callTool(
  tool: ExposedTool,
  given: Readonly<Record<string, unknown>>,
  { allowed, howToAllow, run, explain, answers = { bytes: 0 } }: ToolOptions,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { operation, isReadOnly } = tool;
  if (!isReadOnly && !allowed.has(operation.id)) {
    return failure(`${operation.id} is not allowed to agents. ${howToAllow(operation.id)}`, 'forbidden');
  }
  const pieces: string[] = [];
  let bytes = 0;
  let excess: string | undefined;
  const write = async (piece: string) => {
    const size = Buffer.byteLength(piece);
    bytes += size;
    answers.bytes += size;
    if (answers.bytes > maxAnswerBytes) excess = bytes > maxAnswerBytes ? tooLarge : tooLargeTogether;
    if (excess !== undefined) throw new Error(excess);
    pieces.push(piece);
  };
  try {
    // JSON.stringify would overflow the stack on what is nested too deep.
    cleanInput(given);
    if (Buffer.byteLength(JSON.stringify(given)) > maxInputBytes) {
      return failure('The arguments must not be larger than 1 MiB.', 'too_large');
    }
    await run(operation, inputOf(operation, given), write, signal);
  } catch (error) {
    answers.bytes -= bytes;
    // An operation that fails wraps the error of its reader.
    if (excess !== undefined) return failure(excess, 'too_large');
    return failure(explain(error), error instanceof BackofficeError ? error.code : 'failed');
  }
  const text = pieces.join('');
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

/** Returns the input of an operation. Agents often send null for a parameter that they leave out. */
function inputOf(operation: AnyOperation, given: Readonly<Record<string, unknown>>) {
  const input = readsQuery(operation)
    ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    : given;
  const { limit = '' } = input;
  return limit === '' && takesDefaultLimit(toolSchemaOf(operation))
    ? { ...input, limit: defaultLimit }
    : input;
}

function failure(text: string, code: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], structuredContent: { error: text, code } };
}

/** The limit of a list whose caller gives none. An agent rarely needs a million rows. */
export const defaultLimit = 50;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a tool's arguments. Clients require an object, and many reject alternatives at the top. */
interface ToolSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: string[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

const schemas = new Map<string, ToolSchema>();

/** Returns the schema of an operation's input, as the OpenAPI document shows it, as one object. */
export function toolSchemaOf(operation: AnyOperation): ToolSchema {
  const known = schemas.get(operation.id);
  if (known !== undefined) return known;
  const schema = createToolSchema(operation);
  schemas.set(operation.id, schema);
  return schema;
}

function createToolSchema({ input }: AnyOperation): ToolSchema {
  const { schema, components } = createSchema(input, { io: 'input', openapiVersion: '3.1.1' });
  const whole = inline(schema as JsonSchema, components as Readonly<Record<string, JsonSchema>>);
  const forms = (whole.anyOf ?? whole.oneOf) as readonly JsonSchema[] | undefined;
  const { anyOf: _anyOf, oneOf: _oneOf, ...plain } = whole;
  const tool = whole.type === 'object' || forms === undefined ? plain : merge(forms);
  return withDefaultLimit({ properties: {}, ...tool, type: 'object' });
}

/** Reports whether the tool takes a limit that has no default of its own. */
function takesDefaultLimit({ properties }: ToolSchema): boolean {
  return properties.limit?.default === defaultLimit;
}

function withDefaultLimit(schema: ToolSchema): ToolSchema {
  const { limit } = schema.properties;
  if (limit === undefined || limit.default !== undefined) return schema;
  return { ...schema, properties: { ...schema.properties, limit: { ...limit, default: defaultLimit } } };
}

/** Merges the forms of an input: all their fields, of which those of one form belong together. */
function merge(forms: readonly JsonSchema[]): JsonSchema {
  const fields = forms.map((form) => Object.entries((form.properties ?? {}) as Record<string, JsonSchema>));
  const byName = Map.groupBy(fields.flat(), ([name]) => name);
  const requiredOf = (form: JsonSchema) => (form.required ?? []) as readonly string[];
  const required = requiredOf(forms[0] ?? {}).filter((name) =>
    forms.every((form) => requiredOf(form).includes(name)),
  );
  const properties = [...byName].map(([name, found]) => [
    name,
    alternatives(found.map(([, field]) => field)),
  ]);
  return {
    description: `Send the fields of one form: ${forms.map(describeForm).join('; or ')}.`,
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

function alternatives(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? (distinct[0] as JsonSchema) : { anyOf: distinct };
}

function describeForm({ title, required = [] }: JsonSchema): string {
  const fields = (required as readonly string[]).join(', ');
  return title === undefined ? fields : `${title} (${fields})`;
}

/** Replaces references by what they refer to. The schemas of inputs are not recursive. */
function inline(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...others } = value as { readonly $ref?: string };
    const name = $ref?.split('/').at(-1);
    const target = name === undefined ? {} : components[name];
    return Object.fromEntries(
      Object.entries({ ...target, ...others }).map(([key, item]) => [key, resolve(item)]),
    );
  };
  return resolve(schema) as JsonSchema;
}
