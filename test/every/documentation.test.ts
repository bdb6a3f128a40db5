import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { insufficientPermissions, type Operation, readsQuery } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { takesIdempotencyKey } from '../../src/contract/route.ts';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import { statusOf, statusOfSuccess } from '../../src/http/responses/problem.ts';
import { cleanInput } from '../../src/services/call/validate.ts';
import {
  documentedAs,
  errorTextsOf,
  examplesIn,
  inputSchemaOf,
  type JsonSchema,
  type OpenApiDocument,
  valuesOf,
} from '../support/here/openapi.ts';
import { backofficeHere } from '../support/here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const backoffice = backofficeHere();
const registry: readonly Operation[] = operations;
const document = createOpenApiDocument('1.0.0') as OpenApiDocument;
let text: string;

beforeAll(async () => {
  text = await (await backoffice.service.fetch('/api/openapi.json')).text();
});

/** Runs Redocly's linter on a document, with the rules of `redocly.yaml`. */
async function lint(source: string): Promise<{ problems: { ruleId: string; message: string }[] }> {
  const file = join(await temporaryFolder(), 'openapi.json');
  await writeFile(file, source);
  const program = 'node_modules/@redocly/cli/bin/cli.js';
  const parameters = [program, 'lint', '--config', 'redocly.yaml', '--format', 'json', file];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const run = promisify(execFile)(process.execPath, parameters, { env });
  // It exits with 1 if it finds problems, and still prints them.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return JSON.parse(stdout);
}

describe('/api/openapi.json', () => {
  test('has one problem for the linter if one example is wrong', async () => {
    const { problems } = await lint(text.replace('"error":"Title is required"', '"error":1'));
    expect(problems.map(({ ruleId }) => ruleId)).toStrictEqual(['no-invalid-media-type-examples']);
  });

  test('needs no session, and is OpenAPI 3.1.1 in JSON', async () => {
    const response = await backoffice.service.fetch('/api/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(document.openapi).toBe('3.1.1');
  });

  test('has exactly the operations of the registry', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    );
    const registered = registry.map(({ id, method, path }) => `${id}: ${method.toLowerCase()} ${path}`);
    expect(documented.toSorted()).toStrictEqual(registered.toSorted());
  });
});

describe.for(registry)('the documentation of $id', (operation) => {
  const documented = documentedAs(document, operation.id);
  const { requestBody, responses, parameters = [] } = documented;
  const takesKey = takesIdempotencyKey(operation);
  const isConditional = operation.method === 'GET' && operation.answers === undefined;
  const errorTexts = (status: number) => errorTextsOf(documented, status);

  test('has its summary, says more than that in sentences, and who may call it', () => {
    const { summary, description, security } = documented;
    expect(summary).toBe(operation.summary);
    expect(security).toStrictEqual(operation.allow.to === 'anyone' ? [] : undefined);
    expect(operation.description).toMatch(/^[A-Z`].*\.$/s);
    expect(operation.description).not.toContain(operation.summary);
    const who = { anyone: 'Needs no session.', session: 'For every role.', roles: 'superadmin' };
    expect(description.startsWith(`${operation.description} `)).toBe(true);
    expect(description.slice(operation.description.length)).toContain(who[operation.allow.to]);
    for (const parameter of parameters)
      expect(parameter.description, parameter.name).toMatch(/^[A-Z`0-9].*\.$/s);
  });

  test('has an example of each error under its status', () => {
    for (const { code, text: error } of operation.errors ?? [])
      expect(errorTexts(statusOf[code])).toContain(error);
    if (operation.failure !== undefined) expect(errorTexts(500)).toStrictEqual([operation.failure]);
    if (operation.allow.to !== 'anyone') expect(errorTexts(401)).toStrictEqual(['Unauthorized']);
    if (operation.allow.to === 'roles') expect(errorTexts(403)).toContain(insufficientPermissions.text);
    if (readsQuery(operation)) return;
    const { load, allow } = operation;
    const usual = allow.to === 'anyone' ? '16 KiB' : '1 MiB';
    const limit = 'takesMail' in operation ? '64 MiB' : load === 'contact' ? '256 KiB' : usual;
    expect(errorTexts(413)).toStrictEqual([`The request body must not be larger than ${limit}.`]);
  });

  test('says what a repeated Idempotency-Key and an entity tag get, and links to the next page', () => {
    const replayed = Object.entries(responses).filter(
      ([, { headers = {} }]) => 'Idempotency-Replayed' in headers,
    );
    expect(replayed.map(([status]) => status)).toEqual(takesKey ? ['200', '400', '409'] : []);
    expect('422' in responses).toBe(takesKey);
    expect('304' in responses).toBe(isConditional);
    const { headers = {} } = responses[200] ?? {};
    expect('ETag' in headers).toBe(isConditional);
    expect('Link' in headers).toBe(parameters.some(({ name }) => ['cursor', 'page'].includes(name)));
  });

  test('has examples that match its input and output schemas', () => {
    for (const example of examplesIn(requestBody?.content['application/json'] ?? {}))
      operation.input.parse(example);
    const types = { events: 'text/event-stream', file: 'application/octet-stream', json: 'application/json' };
    const type = types[operation.answers ?? 'json'];
    const answers = examplesIn(responses[statusOfSuccess(operation)]?.content[type] ?? {});
    expect(answers.length).toBeGreaterThan(0);
    for (const example of answers) operation.output.parse(example);
  });

  test('describes its input as a body or as parameters, according to its method', () => {
    expect(requestBody === undefined).toBe(readsQuery(operation));
    const headers = parameters.filter((parameter) => parameter.in === 'header');
    expect(headers.map(({ name }) => name)).toEqual([
      ...(operation.answers === 'events' ? ['Last-Event-ID'] : []),
      ...(takesKey ? ['Idempotency-Key'] : []),
      ...(isConditional ? ['If-None-Match'] : []),
    ]);
    expect(parameters.every((parameter) => ['query', 'header'].includes(parameter.in))).toBe(true);
    expect(inputSchemaOf(documented)).not.toStrictEqual({});
  });
});

const withBody = registry.filter((operation) => !readsQuery(operation));

/** Fields that need no bound of their own, besides that of the body. */
const exceptions: readonly [pattern: RegExp, why: string][] = [
  [/(^|\.)(id|up_to|from|approve|\w+_id)$/, 'An id is compared, not stored: an unknown one succeeds.'],
  [/^expected(\.|$)/, 'Compared, not stored. It must hold any text that is stored already.'],
  [/^ids\[\]$/, 'Likewise.'],
  [/^filter\./, 'Compared, not stored.'],
  [/^username$/, 'Cut to 100 characters.'],
  [/^role$/, 'Any text means a role.'],
  [/^(token|current_password)$/, 'Compared, not stored.'],
  [/^shortcut$/, 'Its pattern bounds it.'],
  [/^message$/, 'A mail, which the size of the body bounds.'],
  [
    /^(challenge|code|user_code|device_code|credential(\.|$).*)$/,
    'Compared, not stored. A long one is just wrong.',
  ],
  [/^(email|password)$/, 'At sign-in, where the body is at most 16 KiB and a long one is just wrong.'],
];

/** A text field of a body. A list has `[]` in the path, and any key `*`. */
interface TextField {
  readonly path: string;
  readonly maxLength: number | undefined;
}

function textFields(schema: JsonSchema, path = ''): TextField[] {
  const { type = [], properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const isText =
    [type].flat().includes('string') && schema.enum === undefined && schema.format !== 'date-time';
  const child = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...(isText ? [{ path, maxLength: schema.maxLength }] : []),
    ...Object.entries(properties).flatMap(([name, field]) => textFields(field, child(name))),
    ...(items === undefined ? [] : textFields(items, `${path}[]`)),
    ...(typeof additionalProperties === 'object' ? textFields(additionalProperties, child('*')) : []),
    ...[...anyOf, ...oneOf].flatMap((form) => textFields(form, path)),
  ];
}

/** Returns a copy of an example with another text in the field, or undefined if the example has no such place. */
function withText(example: unknown, path: string, text: string): unknown {
  const copy = structuredClone(example);
  const parts = path.replaceAll('[]', '.0').split('.');
  const last = parts.pop() ?? '';
  let place: unknown = copy;
  for (const part of parts) place = (place as Record<string, unknown> | undefined)?.[part];
  if (typeof place !== 'object' || place === null) return undefined;
  (place as Record<string, unknown>)[last] = text;
  return copy;
}

/** Returns the first error of each example of the operation with the text in the field. */
function errorsWith({ input, example, otherExamples = {} }: Operation, path: string, text: string): string[] {
  const examples = [example, ...Object.values(otherExamples)].flatMap((each) => each?.input ?? []);
  return examples
    .map((each) => withText(each, path, text))
    .filter((each) => each !== undefined)
    .map((each) => input.safeParse(each).error?.issues[0]?.message ?? '');
}

/** The rules that the schemas do not express: those that compare fields, and null, which counts as absent. */
const comparisons = [
  /expected needs? exactly one id/,
  /set must have at least one field/,
  /filter must have at least one field/,
  /cached_input_tokens must not be greater than input_tokens/,
  /finished_at requires a status other than running/,
  /finished_at requires started_at, which must not be later/,
];

function resolve(reference: string) {
  const schema = document.components.schemas[reference.replace('#/components/schemas/', '')];
  if (schema === undefined) throw new Error(`There is no ${reference}.`);
  return schema;
}

describe.for(withBody)('the documented body of $id', (operation) => {
  const schema = inputSchemaOf(documentedAs(document, operation.id));
  const fields = textFields(schema);

  test('bounds every text, except those that need no bound', () => {
    const unbounded = fields.filter(({ maxLength }) => maxLength === undefined).map(({ path }) => path);
    expect(unbounded.filter((path) => !exceptions.some(([pattern]) => pattern.test(path)))).toEqual([]);
  });

  test('is rejected with a longer text, with a sentence that names the bound, and counts characters', () => {
    for (const { path, maxLength } of fields) {
      // The bounds of a password, and of a setting's key in bytes, are tested with their other rules.
      if (maxLength === undefined || path === 'password' || path === 'key') continue;
      const bound = `at most ${maxLength.toLocaleString('en')} characters.`;
      const name = path.replace(/^.*\./, '').replace('[]', '[0]');
      const tooLong = errorsWith(operation, path, '🐛'.repeat(maxLength + 1));
      expect(tooLong, path).toContainEqual(expect.stringContaining(bound));
      expect(tooLong, path).toContainEqual(expect.stringContaining(name));
      expect(errorsWith(operation, path, '🐛'.repeat(maxLength)).join(), path).not.toContain(bound);
    }
  });

  test('is accepted whenever it matches', () => {
    const check = fc.property(valuesOf(schema, resolve), (input) => {
      const { error } = operation.input.safeParse(cleanInput(input));
      const problem = error?.issues[0]?.message;
      if (problem === undefined || comparisons.some((rule) => rule.test(problem))) return;
      expect.fail(`${problem} ${JSON.stringify(error?.issues[0]?.path)}`);
    });
    fc.assert(check, { numRuns: 300 });
  });
});
