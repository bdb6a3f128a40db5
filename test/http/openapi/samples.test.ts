import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
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

beforeAll(async () => {
  ({ secret: token } = await backoffice.service.createToken('superadmin'));
  folder = await mkdtemp(join(tmpdir(), 'backoffice-test-'));
});

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

/** Runs a sample in a shell, where `curl` also prints the status. */
async function runInShell(source: string): Promise<{ status: number; body: string }> {
  const quiet = `curl() { command curl --silent --max-time ${streamSeconds} --write-out '\\n%{http_code}' "$@" || true; }`;
  const env = { PATH: process.env.PATH, BACKOFFICE_SERVER: backoffice.service.url, BACKOFFICE_TOKEN: token };
  const { stdout } = await promisify(execFile)('bash', ['-c', `${quiet}\n${source}`], { env, cwd: folder });
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end)), body: stdout.slice(0, end) };
}

/** Runs a sample in this process. Returns the response to its request. */
async function runHere(source: string, operation: Operation): Promise<{ status: number; body: string }> {
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

describe.for(registry.map((operation) => ({ id: operation.id, operation })))(
  'a sample of $id',
  ({ operation }) => {
    const [shell, javascript] = samplesOf(operation).map(({ source }) => source);

    test('runs in a shell', async () => {
      const { status, body } = await runInShell(shell ?? '');
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
  expect((await runInShell(shell?.source ?? '')).status).toBe(200);
  const { issues } = (await backoffice.superadmin.client.call('issues.list', { limit: 1 })) as {
    issues: object[];
  };
  expect(issues).toMatchObject([{ title }]);
});
