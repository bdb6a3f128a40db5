import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { samplesOf } from '../../../src/http/openapi/samples.ts';
import { backofficeOfThisFile } from '../../support/http/backoffice.ts';
import { documentedAs, type OpenApiDocument } from '../../support/http/openapi.ts';

const backoffice = backofficeOfThisFile();
const registry: readonly Operation[] = operations;
/** How long a sample follows the event stream, which does not end. */
const streamSeconds = 1;
let token: string;
let folder: string;
/** What the shell samples of the operations printed, in the order of the registry. */
let printed: readonly Printed[];

beforeAll(async () => {
  ({ secret: token } = await backoffice.service.createToken('superadmin'));
  folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
  printed = await runInShell(registry.map((operation) => samplesOf(operation)[0]?.source ?? ''));
});

interface Printed {
  readonly status: number;
  readonly body: string;
}

/** Expects a success, or an error that the operation documents: the rows of its example may not exist. */
function expectDocumented({ id, errors = [], answers }: Operation, status: number, body: string): void {
  if (answers === 'events' || status < 300) {
    expect(status, `${id}: ${body}`).toBeLessThan(300);
    return;
  }
  expect(
    errors.map(({ text }) => text),
    `${id}: ${status}`,
  ).toContain(JSON.parse(body).error);
}

/**
 * Runs samples one after another, each in a shell of its own, where `curl` also prints the status. One program starts them
 * all, because this large process takes long to start one.
 */
async function runInShell(sources: readonly string[]): Promise<Printed[]> {
  const curl = `curl() { command curl --silent --max-time ${streamSeconds} --write-out '\n%{http_code}' "$@" || true; }`;
  const script = [curl, ...sources.map((source, index) => `(\n${source}\n) > printed-${index}`)].join('\n');
  const env = { PATH: process.env.PATH, BACKOFFICE_SERVER: backoffice.service.url, BACKOFFICE_TOKEN: token };
  await writeFile(join(folder, 'samples.sh'), script);
  await promisify(execFile)('bash', ['samples.sh'], { env, cwd: folder });
  return await Promise.all(
    sources.map(async (_, index) => {
      const text = await readFile(join(folder, `printed-${index}`), 'utf8');
      const end = text.lastIndexOf('\n');
      return { status: Number(text.slice(end)), body: text.slice(0, end) };
    }),
  );
}

/** Runs a sample in this process. Returns the response to its request. */
async function runHere(source: string, operation: Operation): Promise<Printed> {
  let result = { status: 0, body: '' };
  const send: typeof fetch = async (input, init) => {
    const isEndless = operation.answers === 'events';
    const signal = isEndless ? AbortSignal.timeout(streamSeconds * 1_000) : null;
    const response = await fetch(input, { ...init, signal });
    result = { status: response.status, body: isEndless ? '' : await response.clone().text() };
    return response;
  };
  const parameters = ['server', 'token', 'fetch', 'console'];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction(...parameters, source);
  const ended = run(backoffice.service.url, token, send, { log() {} });
  // It throws the text of an error response, and the stream is cut off.
  await ended.catch((error: Error) =>
    expect(result.body.includes(error.message) || error.name === 'TimeoutError').toBe(true),
  );
  return result;
}

test('every operation has a sample for curl and fetch in the document', async () => {
  const document = (await (await backoffice.service.fetch('/api/openapi.json')).json()) as OpenApiDocument;
  for (const operation of registry) {
    expect(documentedAs(document, operation.id)).toMatchObject({ 'x-codeSamples': samplesOf(operation) });
    expect(samplesOf(operation).map(({ label }) => label)).toEqual(['curl', 'fetch']);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.for(registry.map((operation, index) => ({ id: operation.id, operation, index })))(
  'a sample of $id',
  ({ operation, index }) => {
    const [, javascript] = samplesOf(operation).map(({ source }) => source);

    test('runs in a shell', () => {
      const { status, body } = printed[index] ?? expect.fail('It did not run.');
      expectDocumented(operation, status, body);
    });

    test('runs in JavaScript', async () => {
      const { status, body } = await runHere(javascript ?? '', operation);
      expectDocumented(operation, status, body);
    });
  },
);

test('a quotation mark in an example does not end the text of a shell', async () => {
  const operation = registry.find(({ id }) => id === 'issues.create');
  if (operation === undefined) throw new Error('No such operation.');
  const title = `It's "quoted" $HOME \`date\``;
  const [shell] = samplesOf({ ...operation, example: { input: { title }, output: {} } });
  expect(await runInShell([shell?.source ?? ''])).toMatchObject([{ status: 200 }]);
  const { issues } = (await backoffice.superadmin.client.call('issues.list', { limit: 1 })) as {
    issues: object[];
  };
  expect(issues).toMatchObject([{ title }]);
});
