import { createSchema } from 'zod-openapi';
import type { AnyOperation } from '../contract/registry.ts';

/** The limit of a list whose caller gives none. An agent rarely needs a million rows. */
export const defaultLimit = 50;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a tool's arguments. Clients require an object, and many reject alternatives at the top. */
export interface ToolSchema {
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
export function takesDefaultLimit({ properties }: ToolSchema): boolean {
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
