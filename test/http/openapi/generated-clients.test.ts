import { expect, test } from 'vitest';
import { backofficeHere } from '../../support/here.ts';
import { isSlowRun } from '../../support/slow-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { generateClients, generators } from './client-generators/generate.ts';
import { title } from './client-generators/programs/report.ts';

const backoffice = backofficeHere();

test.runIf(isSlowRun)('generated clients compile strictly, and work in programs', async () => {
  const { service, sql } = backoffice;
  const document = await (await service.fetch('/api/openapi.json')).text();
  const clients = await generateClients(await temporaryFolder(), document, service.url);
  expect(await clients.compile()).toBe('');
  const { secret } = await service.createToken('admin');
  for (const name of generators) {
    await sql('delete from issues');
    await sql('delete from events');
    const report = await clients.run(name, service.url, secret);
    const [issue] = await sql<{ id: string }>('select id from issues');
    const id = Number(issue?.id);
    expect(report, name).toEqual({
      created: [id, id],
      titles: [title],
      change: { matched: 1, changed: 1 },
      event: { subject: String(id), title, severity: 'High' },
      error: { status: 400, text: 'Title is required' },
    });
  }
});
