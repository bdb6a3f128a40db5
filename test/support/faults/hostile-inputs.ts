import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import { documentedAs, inputSchemaOf, type JsonSchema, type OpenApiDocument } from '../http/openapi.ts';
import { hostileBodies, hostileQueries, hostileTexts, hostileValues } from './hostile-values.ts';

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
