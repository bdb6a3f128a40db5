import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { startTestService, type TestService } from '../../support/here.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice doctor --server', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startTestService();
    token = (await service.createToken('user')).secret;
  });

  afterAll(async () => {
    await service.stop();
  });

  async function examined(server: string, BACKOFFICE_TOKEN: string) {
    const { code, stdout } = await backoffice(['doctor', '--json', '--server', server], {
      env: { BACKOFFICE_TOKEN },
    });
    const { checks }: { checks: Finding[] } = JSON.parse(stdout);
    return { code, states: Object.fromEntries(checks.map(({ check, state }) => [check, state])) };
  }

  test('passes for a server that is ready and accepts the token', async () => {
    expect(await examined(service.url, token)).toEqual({
      code: 0,
      states: { node: 'ok', configuration: 'ok', server: 'ok', clock: 'ok', token: 'ok' },
    });
  });

  test('reports that the server rejects the token', async () => {
    const { code, states } = await examined(service.url, 'bo_unknown');
    expect({ code, ...states }).toMatchObject({ code: 1, server: 'ok', token: 'failed' });
  });

  test('reports that what answers is not a Backoffice server', async () => {
    const page = createServer((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('Hi'));
    const { code, states } = await examined(`http://127.0.0.1:${await listenOnLoopback(page)}`, token);
    page.close();
    expect({ code, ...states }).toMatchObject({ code: 1, server: 'failed' });
  });

  test('reports that the server is unreachable', async () => {
    const { code, states } = await examined('http://127.0.0.1:1', token);
    expect({ code, ...states }).toMatchObject({ code: 1, server: 'failed' });
  });
});
