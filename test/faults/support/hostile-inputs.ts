import { gzipSync } from 'node:zlib';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { toCursor } from '../../../src/contract/schemas/lists.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import {
  documentedAs,
  inputSchemaOf,
  type JsonSchema,
  type OpenApiDocument,
} from '../../support/here/openapi.ts';

/** A request that tries to break an operation. */
export interface HostileInput {
  /** What is hostile about it. */
  readonly name: string;
  /** The query string, with its question mark. */
  readonly search: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

const document = createOpenApiDocument('1.0.0') as OpenApiDocument;

/**
 * Returns requests that try to break an operation: its example with one field made hostile, each kind of value in another
 * field, and whole bodies or query strings.
 *
 * @param round - each round puts the values into other fields
 */
export function hostileInputs(operation: Operation, round = 0): readonly HostileInput[] {
  const example = exampleOf(operation);
  const fields = fieldsOf(inputSchemaOf(documentedAs(document, operation.id)));
  const fieldAt = (index: number) => fields[(index + round) % fields.length] ?? ['unknown'];
  if (readsQuery(operation)) {
    const flat = Object.entries(example).map(([name, value]): [string, string] => [name, String(value)]);
    return [
      ...hostileTexts.map(({ name, text }, index) => {
        const [field = ''] = fieldAt(index);
        const others = flat.filter(([other]) => other !== field);
        return { name: `${field}: ${name}`, search: `?${new URLSearchParams([...others, [field, text]])}` };
      }),
      ...hostileQueries(fieldAt(0)[0] ?? '').map(({ name, text }) => ({ name, search: `?${text}` })),
    ];
  }
  return [
    ...hostileValues.map(({ name, json }, index) => {
      const path = fieldAt(index);
      return { name: `${path.join('.')}: ${name}`, search: '', body: withField(example, path, json) };
    }),
    ...hostileBodies(example).map((body) => ({ search: '', ...body })),
  ];
}

/** The example of the documentation, without hosts that exist. */
function exampleOf({ example }: Operation): Readonly<Record<string, unknown>> {
  return JSON.parse(
    JSON.stringify(example?.input ?? {}).replaceAll(/https?:\/\/[\w.-]+/g, 'https://hooks.invalid'),
  );
}

/** Returns the paths of the fields of an input: also those in its objects, and in the first item of its lists. */
function fieldsOf(schema: JsonSchema, depth = 0): readonly (readonly string[])[] {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    return target === undefined ? [] : fieldsOf(target, depth);
  }
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => [
    [name],
    ...(depth < 3 ? fieldsOf(each, depth + 1).map((path) => [name, ...path]) : []),
  ]);
  const items = schema.items === undefined ? [] : fieldsOf(schema.items, depth).map((path) => ['0', ...path]);
  const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => fieldsOf(each, depth));
  const all = [...own, ...items, ...others];
  return [...new Map(all.map((path) => [path.join('.'), path])).values()];
}

const placeholder = 'the value of the field';

/** Returns the JSON of an example with the JSON of another value at a path, which need not be valid. */
function withField(example: object, path: readonly string[], json: string): string {
  const copy = structuredClone(example) as Record<string, unknown>;
  let parent = copy;
  for (const [index, name] of path.slice(0, -1).entries()) {
    if (typeof parent[name] !== 'object' || parent[name] === null)
      parent[name] = path[index + 1] === '0' ? [] : {};
    parent = parent[name] as Record<string, unknown>;
  }
  parent[path.at(-1) ?? ''] = placeholder;
  return JSON.stringify(copy).replace(JSON.stringify(placeholder), () => json);
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const numbers = (length: number) => JSON.stringify(Array.from({ length }, (_, index) => index));
const keys = (length: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length }, (_, index) => [`key ${index}`, index])));

type NamedText = Readonly<Record<'name' | 'text', string>>;

/** Texts that break what reads them carelessly. */
const hostileTexts: readonly NamedText[] = [
  { name: 'an empty text', text: '' },
  { name: 'a NUL', text: 'a\0b' },
  { name: 'the first half of a surrogate pair', text: 'a\ud800' },
  { name: 'control characters', text: '\x01\x07\x1b[31m\x7f\x85' },
  { name: 'a text of 20,000 characters', text: 'x'.repeat(20_000) },
  { name: 'letters that grow in lower case', text: 'İ'.repeat(400) },
  { name: 'a thousand accents on a letter', text: `a${'\u0301'.repeat(1_000)}` },
  { name: 'a text that turns direction', text: '\u202egnp.exe\u2066' },
  { name: 'SQL', text: "'; drop table issues; --" },
  { name: 'placeholders', text: '$1 %s %n {{7*7}} ?' },
  { name: 'wildcards', text: '%_\\%*' },
  { name: 'a pattern that never ends', text: `(a+)+$${'a'.repeat(60)}!` },
  { name: 'a line for a header', text: 'a\r\nSet-Cookie: session=1\r\n\r\n' },
  { name: 'the name of a prototype', text: '__proto__' },
  { name: 'null', text: 'null' },
  { name: 'a negative number', text: '-1' },
  { name: 'more than a safe integer', text: '9007199254740993' },
  { name: 'more than a bigint', text: '99999999999999999999' },
  { name: 'more than a number', text: '1e400' },
  { name: 'not a number', text: 'NaN' },
  { name: 'a list of numbers', text: Array.from({ length: 3_000 }, (_, index) => index).join(',') },
  { name: 'commas', text: ','.repeat(2_000) },
  { name: 'a day that does not exist', text: '2026-02-31T00:00:00Z' },
  { name: 'the year 0', text: '0000-01-01T00:00:00Z' },
  { name: 'the last time', text: '+275760-09-13T00:00:00.000Z' },
  { name: 'a cursor with a NUL', text: toCursor(['\0', '\0'] as never) },
  { name: 'a cursor beyond every id', text: toCursor(['2026-01-31T09:30:00.000000Z', 1e20] as never) },
  { name: 'a cursor that is no JSON', text: Buffer.from('{"a":').toString('base64url') },
  { name: 'JSON', text: '{"id":[1]}' },
  { name: 'words for a search', text: 'a e i o u '.repeat(19) },
];

/** Values of every type, as JSON. */
const hostileValues: readonly Readonly<Record<'name' | 'json', string>>[] = [
  { name: 'null', json: 'null' },
  { name: 'true', json: 'true' },
  { name: 'zero below zero', json: '-0' },
  { name: 'a negative number', json: '-1' },
  { name: 'a fraction', json: '0.1' },
  { name: 'more than a safe integer', json: '9007199254740993' },
  { name: 'more than a bigint', json: '1e19' },
  { name: 'the largest number', json: '1.7976931348623157e308' },
  { name: 'more than a number', json: '1e400' },
  { name: 'a list', json: '[]' },
  { name: 'a list of lists', json: '[[[1]],[null],{}]' },
  { name: 'a list of 20,000 numbers', json: numbers(20_000) },
  { name: 'an object', json: '{}' },
  { name: 'a prototype', json: '{"__proto__":{"role":"superadmin","isAdmin":true}}' },
  { name: 'methods', json: '{"toString":1,"valueOf":null,"then":{},"toJSON":[],"length":-1}' },
  { name: 'an operator', json: '{"$ne":null}' },
  { name: 'an object of 2,000 keys', json: keys(2_000) },
  { name: '100 levels', json: nested(100) },
  { name: '20,000 levels', json: nested(20_000) },
  ...hostileTexts.map(({ name, text }) => ({ name, json: JSON.stringify(text) })),
];

const json = { 'content-type': 'application/json' };

/** Returns whole bodies: of other types, broken, and in other encodings. */
function hostileBodies(example: object): readonly Omit<HostileInput, 'search'>[] {
  const text = JSON.stringify(example);
  const fields = text.slice(1, -1) || '"a":1';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return [
    { name: 'no body', body: '' },
    { name: 'null', body: 'null' },
    { name: 'a text', body: '"id"' },
    { name: 'a list', body: `[${text},${text}]` },
    { name: 'half of the body', body: text.slice(0, -1) },
    { name: 'fields that are given twice', body: `{${fields},"id":1,"id":{},"id":"\\u0000"}` },
    { name: 'a prototype', body: '{"__proto__":{"id":1,"email":"a@b.example","role":"superadmin"}}' },
    { name: '50,000 levels', body: nested(50_000) },
    { name: 'unknown fields', body: JSON.stringify({ ...example, '': 1, a: { b: [1] }, isAdmin: true }) },
    { name: 'a byte order mark', body: `\ufeff${text}` },
    { name: 'bytes that are not UTF-8', body: Uint8Array.from([0x7b, 0x22, 0xff, 0xc0, 0xaf, 0x22, 0x7d]) },
    { name: 'UTF-16', body: Uint8Array.from(Buffer.from(text, 'utf16le')) },
    {
      name: 'another charset',
      body: text,
      headers: { 'content-type': 'application/json; charset=iso-8859-1' },
    },
    { name: 'gzip', body: Uint8Array.from(gzipSync(text)), headers: { ...json, 'content-encoding': 'gzip' } },
    { name: 'a form', body: 'id=1&email=a@b.example', headers: form },
    { name: 'a key that is no key', body: text, headers: { ...json, 'idempotency-key': 'ä\t' } },
  ];
}

/** Returns whole query strings: parameters that are given twice, nested, or encoded in other ways. */
function hostileQueries(field: string): readonly NamedText[] {
  return [
    { name: 'a parameter that is given twice', text: `${field}=1&${field}=2&${field}=` },
    { name: 'a parameter as a list', text: `${field}[]=1&${field}[0]=2&${field}[999999999]=3` },
    { name: 'a parameter as a prototype', text: `${field}[__proto__][role]=superadmin&__proto__[id]=1` },
    { name: 'an encoded NUL', text: `${field}=%00` },
    { name: 'bytes that are not UTF-8', text: `${field}=%ff%fe%c0%af` },
    { name: 'half of an escape', text: `${field}=%&%zz=1&${field}=%u0041` },
    { name: '2,000 parameters', text: Array.from({ length: 2_000 }, (_, index) => `p${index}`).join('&') },
    { name: 'all pages', text: 'limit=100000000&count=1&cursor=&sort=-id,id' },
  ];
}
