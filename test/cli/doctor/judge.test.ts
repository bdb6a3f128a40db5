import { describe, expect, test } from 'vitest';
import { checkNode, judgeSpace } from '../../../cli/doctor/machine.ts';
import { judgeServer } from '../../../cli/doctor/server-facts.ts';
import type { ServerFacts } from '../../../src/db/connection/inspect-server.ts';

const good: ServerFacts = {
  versionNumber: 170_002,
  version: '17.2',
  encoding: 'UTF8',
  fsync: true,
  fullPageWrites: true,
  maxConnections: 97,
  readOnly: false,
  isReplica: false,
  statementTimeoutMs: 0,
  lockTimeoutMs: 0,
  clockAheadMs: 40,
};

describe('judgeServer', () => {
  test('accepts a good server', () => {
    expect(judgeServer(good).map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test.each<[Partial<ServerFacts>, string, string]>([
    [{ versionNumber: 140_013, version: '14.13' }, 'failed', 'Postgres 14.13 is too old'],
    [{ versionNumber: 190_000, version: '19.0' }, 'warning', 'newer than tested'],
    [{ encoding: 'SQL_ASCII' }, 'failed', 'SQL_ASCII'],
    [{ fsync: false }, 'warning', 'fsync is off'],
    [{ fullPageWrites: false }, 'warning', 'full_page_writes is off'],
    [{ readOnly: true }, 'failed', 'read-only'],
    [{ isReplica: true, readOnly: true }, 'failed', 'a replica'],
    [{ maxConnections: 10 }, 'failed', '10 connections'],
    [{ maxConnections: 48 }, 'warning', '48 connections'],
    [{ clockAheadMs: -2_500 }, 'warning', '2.5 s behind'],
    [{ clockAheadMs: 61_000 }, 'failed', '61.0 s ahead'],
  ])('judges %j as %s', (change, state, detail) => {
    const findings = judgeServer({ ...good, ...change }).filter((finding) => finding.state !== 'ok');
    expect(findings).toEqual([
      { check: expect.any(String), state, detail: expect.stringContaining(detail), mend: expect.any(String) },
    ]);
  });
});

describe('the checks of the machine', () => {
  test.each([
    [50_000_000, 'failed'],
    [500_000_000, 'warning'],
    [5_000_000_000, 'ok'],
  ])('judge %i bytes of free space as %s', (bytes, state) => {
    expect(judgeSpace(bytes, '/data')).toMatchObject({ check: 'disk', state });
  });

  test.each([
    ['22.1.0', 'failed'],
    ['24.0.0', 'ok'],
    ['26.3.1', 'ok'],
  ])('judge Node %s as %s', (version, state) => {
    expect(checkNode(version)).toMatchObject({ check: 'node', state });
  });
});
