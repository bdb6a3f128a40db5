import { createHash } from 'node:crypto';
import fc from 'fast-check';

/** The keywords of JSON Schema that the API documentation uses for requests. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly propertyNames?: JsonSchema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns values that the schema allows. It throws if the documentation uses a type that it does not support. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === undefined) return fc.jsonValue();
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)));
}

function valuesOfType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.maxSafeInteger().map((value) => clamp(value, schema));
    case 'string':
      return textsOf(schema);
    case 'object':
      return objectsOf(schema);
    default:
      throw new Error(`Unsupported type: ${type}`);
  }
}

function clamp(value: number, { minimum = value, maximum = value }: JsonSchema): number {
  return Math.min(Math.max(value, minimum), maximum);
}

/** Returns texts of every script, sometimes with 4,000 characters, and without NUL, which is always refused. */
function textsOf({ pattern = '', minLength = 0, maxLength = 4_000 }: JsonSchema): fc.Arbitrary<string> {
  const short = fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 30) });
  const readable = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) });
  const long = fc.nat().map((seed) => incompressible(seed).slice(0, maxLength));
  const expression = new RegExp(pattern, 'u');
  return fc
    .oneof(
      { weight: 10, arbitrary: short },
      { weight: 10, arbitrary: readable },
      { weight: 1, arbitrary: long },
    )
    .filter((text) => !text.includes('\0') && expression.test(text));
}

/** Returns a text that Postgres cannot compress to fit into an index. */
function incompressible(seed: number): string {
  return createHash('shake256', { outputLength: 3_000 }).update(String(seed)).digest('base64');
}

function objectsOf({ properties, required = [], propertyNames = {} }: JsonSchema): fc.Arbitrary<unknown> {
  if (properties === undefined) return fc.dictionary(textsOf(propertyNames).filter(fits), fc.jsonValue());
  const fields = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] as never[] });
}

/** Reports whether a key fits its limit, which is in bytes and so cannot be part of a JSON Schema. */
function fits(key: string): boolean {
  return Buffer.byteLength(key) <= 1024;
}
