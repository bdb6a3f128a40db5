import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../support/here.ts';
import { withClient } from '../../support/postgres/server.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';

describe('backoffice audit list', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(() => service?.stop());

  test.each([
    ['--door', 'foo', 'http, cli, tui, mcp, job'],
    ['--event', 'admin.delete', 'admin.updated, admin.deleted, invitation.created'],
    ['--operation', 'admin.delete', 'admins.update, admins.delete, admins.changeActivity'],
  ])(
    'refuses the unknown %s %s, because an empty list would look as if nothing had happened',
    async (option, value, others) => {
      const { code, stdout, stderr } = await backoffice(['audit', 'list', option, value], {
        env: { DATABASE_URL: service.databaseUrl },
      });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(others);
    },
  );
});

describe('backoffice audit tail', () => {
  let service: TestService;
  let doors: Record<string, Record<string, string>>;
  let report: (title: string) => Promise<unknown>;

  beforeAll(async () => {
    service = await startTestService();
    const { client } = await service.signIn('superadmin', 'grace@example.com');
    report = (title) => client.call('issues.create', { title });
    const { secret } = await service.createToken('superadmin');
    doors = {
      'on the database': { DATABASE_URL: service.databaseUrl },
      'through a server': { BACKOFFICE_SERVER: service.url, BACKOFFICE_TOKEN: secret },
    };
    for (let n = 1; n <= 5; n++) await report(`Issue ${n} \u001b[2J`);
  });

  afterAll(() => service?.stop());

  test('shows each record once, oldest first, with the same bytes both ways', async () => {
    for (const format of [[], ['--json'], ['--json', 'id,event']]) {
      const args = ['audit', 'tail', '--since-id', '0', '--limit', '7', ...format];
      const [local, remote] = await Promise.all(Object.values(doors).map((env) => backoffice(args, { env })));
      expect(local).toMatchObject({ code: 0 });
      expect(remote).toEqual(local);
      expect(local?.stdout).not.toContain('\u001b');
      const lines = local?.stdout.trimEnd().split('\n') ?? [];
      expect(lines).toHaveLength(7);
      if (format.length > 0) {
        const ids = lines.map((line) => JSON.parse(line).id as number);
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      }
    }
  });

  test.each(['on the database', 'through a server'])(
    'shows a long trail completely, page by page, %s',
    async (door) => {
      const ids = await withClient(service.databaseUrl, async (client) => {
        await client.query(`
          select record_changes('{"kind":"operator","name":"tests","door":"cli","address":""}', 'issues.create', jsonb_agg(
            jsonb_build_object('event', 'issue.created', 'id', n)
          ))
          from generate_series(1, 1200) as n
        `);
        return (await client.query('select id from audit_records order by id')).rows.map(({ id }) => id);
      });
      const { stdout } = await backoffice(
        ['audit', 'tail', '--since-id', '0', '--limit', String(ids.length), '--json', 'id'],
        { env: doors[door] ?? {} },
      );
      expect(stdout.trimEnd().split('\n')).toEqual(ids.map((id) => `{"id":${id}}`));
    },
  );

  test.each(['on the database', 'through a server'])('shows a change as it happens, %s', async (door) => {
    const command = startBackoffice(['audit', 'tail'], { env: doors[door] ?? {} });
    await command.shows(/Following events/);
    await report(`Nothing works ${door}`);
    await command.shows(/Nothing works/);
    const { code, stdout } = await command.stop('SIGINT');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}grace@example\.com \(http 127\.0\.0\.1\) {2}issue\.created \d+ {2}title: Nothing works [^\n]*\n$/,
    );
  });
});
