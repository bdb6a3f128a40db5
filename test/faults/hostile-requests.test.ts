import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/registry.ts';
import { backofficeHere } from '../support/here.ts';
import { testEncryptionKey } from '../support/run/process.ts';
import { type ServerProcess, serveProcess } from '../support/run/server.ts';
import { attack } from './support/attack.ts';
import { hostileInputs } from './support/hostile-inputs.ts';
import { createMembers, createStrangers, type Identity } from './support/identities.ts';

const secret = 'the secret that both servers sign sessions with';
const backoffice = backofficeHere({ SESSION_SECRET: secret });
const registry: readonly Operation[] = operations;
let server: ServerProcess;
let strangers: readonly Identity[];
let requests = 0;

beforeAll(async () => {
  // Its death or an error in its log would show.
  server = await serveProcess(backoffice.service.databaseUrl, {
    SESSION_SECRET: secret,
    BACKOFFICE_ENCRYPTION_KEY: testEncryptionKey,
    LOG_LEVEL: 'error',
  });
  strangers = await createStrangers(backoffice);
});

afterAll(async () => {
  console.log(`${requests.toLocaleString('en')} hostile requests`);
  await server?.command.stop('SIGTERM');
});

test.each(registry)('$id answers only JSON, without stacks and unexpected 5xx', async (operation) => {
  const inputs = [...hostileInputs(operation), ...hostileInputs(operation, 1)];
  expect(inputs.length).toBeGreaterThanOrEqual(50);
  const members = await createMembers(backoffice);
  const outcome = await attack(server.url, operation, { strangers, members }, inputs);
  requests += outcome.requests;
  expect(outcome.problems).toEqual([]);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.command.process.exitCode).toBeNull();
  await backoffice.sql('delete from rate_limits');
});

test('no request was an error that nobody expected', async () => {
  const failures = server.command
    .output()
    .stdout.split('\n')
    .filter((line) => line.includes('"level":50'));
  expect(failures).toEqual([]);
});
