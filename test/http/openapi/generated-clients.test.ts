import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { type GeneratedClients, generateClients, generators } from './client-generators/generate.ts';
import { title } from './client-generators/programs/report.ts';

describe.runIf(isSlowRun)('generated clients', () => {
  const backoffice = backofficeHere();
  let folder: string;
  let clients: GeneratedClients;

  beforeAll(async () => {
    const { service } = backoffice;
    folder = await mkdtemp(join(tmpdir(), 'backoffice-clients-'));
    const document = await (await service.fetch('/api/openapi.json')).text();
    clients = await generateClients(generators, folder, document, service.url);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('compile strictly, and so do programs that use them', async () => {
    expect(await clients.compile()).toBe('');
  });

  test.for(generators)('of %s work in a program', async (name) => {
    const { service, sql } = backoffice;
    await sql('delete from issues');
    await sql('delete from events');
    const { secret } = await service.createToken('admin');
    const report = await clients.run(name, service.url, secret);
    const [issue] = await sql<{ id: string }>('select id from issues');
    const id = Number(issue?.id);
    expect(report).toEqual({
      created: [id, id],
      titles: [title],
      change: { matched: 1, changed: 1 },
      event: { subject: String(id), title, severity: 'High' },
      error: { status: 400, text: 'Title is required' },
    });
  });
});
