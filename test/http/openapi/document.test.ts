import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { takesIdempotencyKey } from '../../../src/contract/idempotency.ts';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { statusOf } from '../../../src/http/responses/error-status.ts';
import {
  documentedAs,
  errorTextsOf,
  examplesIn,
  inputSchemaOf,
  type OpenApiDocument,
} from '../../support/here/openapi.ts';
import { backofficeHere } from '../../support/here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const backoffice = backofficeHere();
const registry: readonly Operation[] = operations;
let text: string;
let document: OpenApiDocument;

beforeAll(async () => {
  text = await (await backoffice.service.fetch('/api/openapi.json')).text();
  document = JSON.parse(text);
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
  test('passes the linter', async () => {
    expect((await lint(text)).problems).toStrictEqual([]);
  });

  test('has its examples linted too', async () => {
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
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
      ),
    );
    expect(documented.toSorted()).toStrictEqual(
      registry.map(({ id, method, path }) => `${id}: ${method} ${path}`).toSorted(),
    );
  });
});

describe.for(registry)('the documentation of $id', (operation) => {
  test('has its summary, and requires a session unless anyone may call it', () => {
    const { summary, security } = documentedAs(document, operation.id);
    expect(summary).toBe(operation.summary);
    expect(security).toStrictEqual(operation.allow.to === 'anyone' ? [] : undefined);
  });

  test('says in sentences more than its summary, and who may call it', () => {
    const { description } = documentedAs(document, operation.id);
    expect(operation.description).toMatch(/^[A-Z`].*\.$/s);
    expect(operation.description).not.toContain(operation.summary);
    const who = { anyone: 'Needs no session.', session: 'For every role.', roles: 'superadmin' };
    expect(description.startsWith(`${operation.description} `)).toBe(true);
    expect(description.slice(operation.description.length)).toContain(who[operation.allow.to]);
  });

  test('describes each parameter in a sentence', () => {
    const { parameters = [] } = documentedAs(document, operation.id);
    for (const { name, description } of parameters) expect(description, name).toMatch(/^[A-Z`0-9].*\.$/s);
  });

  test('has an example of each error under its status', () => {
    const documented = documentedAs(document, operation.id);
    for (const { code, text: error } of operation.errors ?? []) {
      expect(errorTextsOf(documented, statusOf[code])).toContain(error);
    }
    if (operation.failure !== undefined)
      expect(errorTextsOf(documented, 500)).toStrictEqual([operation.failure]);
    if (operation.allow.to !== 'anyone')
      expect(errorTextsOf(documented, 401)).toStrictEqual(['Unauthorized']);
    if (operation.allow.to === 'roles')
      expect(errorTextsOf(documented, 403)).toContain(operation.allow.otherwise.text);
  });

  test('states the maximum size of its body', () => {
    if (readsQuery(operation)) return;
    const limit = operation.allow.to === 'anyone' ? '16 KiB' : '1 MiB';
    expect(errorTextsOf(documentedAs(document, operation.id), 413)).toStrictEqual([
      `The request body must not be larger than ${limit}.`,
    ]);
  });

  test('says what a repeated Idempotency-Key gets, where it takes one', () => {
    const { responses } = documentedAs(document, operation.id);
    const replayed = Object.entries(responses).filter(
      ([, { headers = {} }]) => 'Idempotency-Replayed' in headers,
    );
    expect(replayed.map(([status]) => status)).toEqual(
      takesIdempotencyKey(operation) ? ['200', '400', '409'] : [],
    );
    expect('422' in responses).toBe(takesIdempotencyKey(operation));
  });

  test('documents its entity tag, the 304, and the link to the next page, where it has them', () => {
    const { responses, parameters = [] } = documentedAs(document, operation.id);
    const isConditional = operation.method === 'GET' && operation.answers === undefined;
    expect('304' in responses).toBe(isConditional);
    const { headers = {} } = responses[200] ?? {};
    expect('ETag' in headers).toBe(isConditional);
    const hasPages = parameters.some(({ name }) => ['cursor', 'page'].includes(name));
    expect('Link' in headers).toBe(hasPages);
  });

  test('has examples that match its input and output schemas', () => {
    const { requestBody, responses } = documentedAs(document, operation.id);
    for (const example of examplesIn(requestBody?.content['application/json'] ?? {}))
      operation.input.parse(example);
    const type = operation.answers === 'events' ? 'text/event-stream' : 'application/json';
    const answers = examplesIn(responses[operation.accepted ? 202 : 200]?.content[type] ?? {});
    expect(answers.length).toBeGreaterThan(0);
    for (const example of answers) operation.output.parse(example);
  });

  test('describes its input as a body or as parameters, according to its method', () => {
    const { requestBody, parameters = [] } = documentedAs(document, operation.id);
    expect(requestBody === undefined).toBe(readsQuery(operation));
    const headers = parameters.filter((parameter) => parameter.in === 'header');
    expect(headers.map(({ name }) => name)).toEqual([
      ...(operation.answers === 'events' ? ['Last-Event-ID'] : []),
      ...(takesIdempotencyKey(operation) ? ['Idempotency-Key'] : []),
      ...(operation.method === 'GET' && operation.answers === undefined ? ['If-None-Match'] : []),
    ]);
    expect(parameters.every((parameter) => ['query', 'header'].includes(parameter.in))).toBe(true);
    expect(inputSchemaOf(documentedAs(document, operation.id))).not.toStrictEqual({});
  });
});
