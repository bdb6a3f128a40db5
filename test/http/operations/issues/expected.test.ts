import { beforeEach, describe, expect, test } from 'vitest';
import { atOnce, errorResponse, success } from '../../../support/here/requests.ts';
import { auditRecordsOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';
import { withClient } from '../../../support/postgres/server.ts';
import { untilBlocked } from '../../../support/postgres.ts';

const backoffice = backofficeHere();
let id: number;

beforeEach(async () => {
  const created = await backoffice.superadmin.client.call('issues.create', { title: 'Broken link' });
  id = created.id;
});

const change = (status: string, expected?: unknown, issue: unknown = id) =>
  backoffice.api.put('/issues', { id: issue, status, expected });

async function stored(): Promise<Record<string, unknown> | undefined> {
  const { issues } = (await backoffice.api.get(`/issues?id=${id}`)).body as {
    issues: Record<string, unknown>[];
  };
  return issues[0];
}

const changedTo = (status: string) => errorResponse(409, `Changed meanwhile: status is now ${status}.`);

describe('PUT issues with the fields that the caller saw', () => {
  test('changes an issue that still has them: any field of the list', async () => {
    const { id: _id, ...seen } = (await stored()) ?? {};
    expect(await change('In Progress', seen)).toEqual(success);
    expect(await change('Resolved', { status: 'In Progress' })).toEqual(success);
    expect(await stored()).toMatchObject({ status: 'Resolved' });
  });

  test('changes and records nothing if one is different, and names it', async () => {
    await change('Resolved');
    const before = { row: await stored(), records: await auditRecordsOf(backoffice, 'issues.changeStatus') };
    expect(await change('Closed', { status: 'Open' })).toEqual(changedTo('Resolved'));
    expect(await change('Closed', { title: 'Broken', status: 'Resolved' })).toEqual(
      errorResponse(409, 'Changed meanwhile: title is now Broken link.'),
    );
    expect(await change('Closed', { updated_at: '2026-01-31T09:30:00.000Z' })).toMatchObject({ status: 409 });
    const after = { row: await stored(), records: await auditRecordsOf(backoffice, 'issues.changeStatus') };
    expect(after).toEqual(before);
  });

  test('changes it once when ten do so at once', async () => {
    const answers = await atOnce(10, () => change('Resolved', { status: 'Open' }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(9).fill(changedTo('Resolved')));
  });

  test('waits for a change that is under way and sees its result', async () => {
    await withClient(backoffice.service.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query(`update issues set status = 'Closed' where id = $1`, [id]);
      const answer = change('Resolved', { status: 'Open' });
      await untilBlocked(backoffice);
      await client.query('commit');
      expect(await answer).toEqual(changedTo('Closed'));
    });
  });

  test('answers 409 if the issue does not exist', async () => {
    for (const unknown of [0, -1, 'abc', '99999999999999999999']) {
      expect(await change('Open', {}, unknown)).toEqual(
        errorResponse(409, 'Changed meanwhile: the issue no longer exists.'),
      );
    }
  });

  test.for([
    [null, 'expected must be an object of the fields that you saw.'],
    ['Open', 'expected must be an object of the fields that you saw.'],
    [[], 'expected must be an object of the fields that you saw.'],
    [{ status: 1 }, 'expected.status must be a string.'],
    [{ status: null }, 'expected.status must be a string.'],
    [
      { stauts: 'Open' },
      'expected has an unknown field: "stauts". Known fields: title, category, severity, description, steps_to_reproduce, status, created_at, updated_at, assignee_id.',
    ],
  ] as const)('answers 400 to %j: %s', async ([expected, text]) => {
    expect(await change('Resolved', expected)).toEqual(errorResponse(400, text));
    expect(await stored()).toMatchObject({ status: 'Open' });
  });

  test('gives the typed client the sentence', async () => {
    const { client } = backoffice.superadmin;
    const refused = client.call('issues.changeStatus', {
      id,
      status: 'Closed',
      expected: { status: 'Closed' },
    });
    await expect(refused).rejects.toMatchObject({ message: 'Changed meanwhile: status is now Open.' });
  });
});
