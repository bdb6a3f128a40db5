import fc, { type Arbitrary } from 'fast-check';

/** The keywords of JSON Schema that the API documentation uses for requests. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, JsonSchema>>;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The parts of an OpenAPI document that the tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    name: string;
    in: string;
    description?: string;
    required?: boolean;
    schema: JsonSchema;
  }[];
  readonly requestBody?: { content: { 'application/json': { schema: JsonSchema } & Examples } };
  readonly responses: Readonly<
    Record<
      string,
      { content: Readonly<Record<string, Examples>>; headers?: Readonly<Record<string, object>> }
    >
  >;
}

interface Examples {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

/** Returns the documentation of one operation. */
export function documentedAs(document: OpenApiDocument, id: string): OpenApiOperation {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const found = all.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`The document has no operation ${id}.`);
  return found;
}

export function examplesIn({ example, examples = {} }: Examples): unknown[] {
  const named = Object.values(examples).map(({ value }) => value);
  return example === undefined ? named : [example, ...named];
}

/** Returns the schema of an operation's input, from its body or its query. */
export function inputSchemaOf({ requestBody, parameters = [] }: OpenApiOperation): JsonSchema {
  if (requestBody !== undefined) return requestBody.content['application/json'].schema;
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Returns the error texts that an operation documents for a status. */
export function errorTextsOf({ responses }: OpenApiOperation, status: number): string[] {
  const content = responses[status]?.content['application/json'] ?? {};
  return examplesIn(content).map((example) => (example as { error: string }).error);
}

/** Resolves a reference such as `#/components/schemas/Issue`. */
type Resolve = (reference: string) => JsonSchema;

/** Long enough to be interesting, short enough that bytes and characters are below every limit. */
const maxText = 60;
const maxItems = 3;

/** Returns random values that match a JSON schema. They have no NUL, which every text of the API refuses. */
export function valuesOf(schema: JsonSchema | boolean, resolve: Resolve): Arbitrary<unknown> {
  if (typeof schema === 'boolean' || isAnything(schema)) return anything;
  if (schema.$ref !== undefined) return valuesOf(resolve(schema.$ref), resolve);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices?.every(isRequirement))
    return objects(schema, resolve).filter((value) => meetsOne(value, schema));
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(choice, resolve)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, resolve)));
}

const anything = fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }).filter((value) => !hasNul(value));

function isAnything(schema: JsonSchema): boolean {
  const keywords = ['$ref', 'type', 'enum', 'const', 'oneOf', 'anyOf'];
  return !Object.keys(schema).some((name) => keywords.includes(name));
}

/** A choice that only says which properties are required. */
function isRequirement(choice: JsonSchema): boolean {
  return Object.keys(choice).join() === 'required';
}

function meetsOne(value: object, { oneOf, anyOf, dependentRequired = {} }: JsonSchema): boolean {
  const met = (oneOf ?? anyOf ?? []).filter(({ required = [] }) => required.every((name) => name in value));
  const dependent = Object.entries(dependentRequired).filter(([name]) => name in value);
  return (
    (oneOf === undefined ? met.length > 0 : met.length === 1) &&
    dependent.every(([, others]) => others.every((name) => name in value))
  );
}

function hasNul(value: unknown): boolean {
  return JSON.stringify(value)?.includes('\\u0000') ?? false;
}

function valuesOfType(type: unknown, schema: JsonSchema, resolve: Resolve): Arbitrary<unknown> {
  const { minimum = -1e9, maximum = 1e9 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'string':
      return texts(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? true, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? maxItems, Math.max(maxItems, schema.minItems ?? 0)),
      });
    case 'object':
      return objects(schema, resolve);
    default:
      throw new Error(`The schema has an unknown type: ${JSON.stringify(schema)}`);
  }
}

function texts({ format, pattern, minLength = 0, maxLength = maxText }: JsonSchema): Arbitrary<string> {
  if (format === 'date-time') {
    const range = { min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true };
    return fc.date(range).map((date) => date.toISOString());
  }
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.nat().map((number) => `https://example.com/${number}`);
  const length = { minLength, maxLength: Math.min(maxLength, Math.max(maxText, minLength)) };
  const text =
    pattern === undefined
      ? fc.string({ ...length, unit: 'grapheme' })
      : fc.stringMatching(new RegExp(pattern, 'u')).filter((value) => !value.includes('\0'));
  return text.filter((value) => value.length >= minLength && value.length <= length.maxLength);
}

function objects(schema: JsonSchema, resolve: Resolve): Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valuesOf(each, resolve)])),
    { requiredKeys: [...required] },
  );
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const values = isOpen ? valuesOf(additionalProperties, resolve) : anything;
  const others = fc.dictionary(texts(propertyNames ?? { minLength: 1 }), values, {
    maxKeys: isOpen ? maxItems : 0,
  });
  return fc
    .tuple(others, known)
    .map(([extra, fields]) => ({ ...extra, ...fields }))
    .filter((value) => Object.keys(value).length >= leastFields(schema, value));
}

function leastFields({ minProperties = 0, dependentSchemas = {} }: JsonSchema, value: object): number {
  const dependent = Object.entries(dependentSchemas).filter(([name]) => name in value);
  return Math.max(minProperties, ...dependent.map(([, each]) => leastFields(each, value)));
}
