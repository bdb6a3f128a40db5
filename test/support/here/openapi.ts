/** The keywords of JSON Schema that the API documentation uses for requests. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly maxLength?: number;
}

/** The parts of an OpenAPI document that the tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface OpenApiOperation {
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
