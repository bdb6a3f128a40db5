import { beforeAll, describe, expect, test } from 'vitest';
import { fetchPage, idsOf } from '../../../support/here/rows.ts';
import { backofficeHere } from '../../../support/here.ts';

const backoffice = backofficeHere();

/** A higher id is newer. */
const issues = [
  { id: 1, title: 'Cart is empty', status: 'Open', severity: 'High', category: 'Payments' },
  { id: 2, title: 'Logo is blurred', status: 'Open', severity: 'Low', category: 'Other' },
  { id: 3, title: 'Card is refused', status: 'Closed', severity: 'High', category: 'Payments' },
  { id: 4, title: 'Cart loses items', status: 'In Progress', severity: 'high', category: 'Shop' },
  { id: 5, title: 'Search is slow', description: 'CART first', steps_to_reproduce: 'Open the shop' },
];

beforeAll(async () => {
  await backoffice.sql(
    `insert into issues (id, title, status, severity, category, description, steps_to_reproduce, created_at)
     select id, title, coalesce(status, 'Resolved'), coalesce(severity, 'Low'), coalesce(category, 'Other'),
       coalesce(description, ''), coalesce(steps_to_reproduce, ''), timestamptz '2026-03-01Z' + id * interval '1 hour'
     from json_to_recordset($1) as given (
       id bigint, title text, status text, severity text, category text, description text, steps_to_reproduce text
     )`,
    [JSON.stringify(issues)],
  );
});

const matching = (parameters: Record<string, string>) => idsOf(backoffice, 'issues', parameters);
const all = [5, 4, 3, 2, 1];

describe('a filter of issues returns', () => {
  test.for([
    ['those with a status', { status: 'Open' }, [2, 1]],
    ['those with a status of two words', { status: 'In Progress' }, [4]],
    ['those with one of several statuses', { status: 'Open,In Progress' }, [4, 2, 1]],
    ['those with one of several statuses, in any order', { status: ',Closed,Open,' }, [3, 2, 1]],
    ['those with a severity, case-sensitively', { severity: 'High' }, [3, 1]],
    ['those with one of several severities', { severity: 'high,High,Unheard of' }, [4, 3, 1]],
    ['those with a category', { category: 'Payments' }, [3, 1]],
    ['the one with an id', { id: '4' }, [4]],
    ['the one with an id that has leading zeros', { id: '004' }, [4]],
    ['those with a text in the title, the description or the steps', { q: 'cart' }, [5, 4, 1]],
    ['those with a text, case-insensitively', { q: 'OPEN THE SHOP' }, [5]],
    ['those that match two filters', { status: 'Open', severity: 'High' }, [1]],
    ['those that match three filters', { category: 'Payments', severity: 'High', q: 'card' }, [3]],
    ['those that match all filters', { id: '3', status: 'Closed', severity: 'High', q: 'is' }, [3]],
    ['none if no row matches all filters', { id: '3', status: 'Open' }, []],
  ] as const)('%s', async ([, parameters, ids]) => {
    expect(await matching(parameters)).toEqual(ids);
  });

  test.for([
    ['severity', 'Unheard of'],
    ['category', ' Payments'],
    ['id', '6'],
    ['id', '-1'],
    ['id', '1.0'],
    ['id', ' 1'],
    ['id', '0x1'],
    ['id', 'one'],
    ['id', '9223372036854775808'],
    ['id', '9'.repeat(400)],
    ['q', 'nowhere'],
    ['q', 'emptyis'],
  ] as const)('nothing for an unknown value: %s=%s', async ([name, value]) => {
    expect(await matching({ [name]: value })).toEqual([]);
  });

  test.for(['id', 'status', 'severity', 'category', 'q', 'since', 'until', 'limit', 'cursor', 'period'])(
    'everything if it is empty: %s',
    async (name) => {
      expect(await fetchPage(backoffice, 'issues', { [name]: '' })).toEqual(
        await fetchPage(backoffice, 'issues'),
      );
      expect(await matching({ [name]: '' })).toEqual(all);
    },
  );
});

test('words may be in different fields, but no word is found across two', async () => {
  expect(await matching({ q: 'slow cart' })).toEqual([5]);
  expect(await matching({ q: 'slowcart' })).toEqual([]);
});

test('a filtered row equals the row of the list, and a filtered list has no nextCursor', async () => {
  const { rows } = await fetchPage(backoffice, 'issues');
  const filtered = await fetchPage(backoffice, 'issues', { id: '3' });
  expect(filtered).toStrictEqual({ rows: rows.filter(({ id }) => id === 3), nextCursor: undefined });
});

test('the aggregate covers all issues, whatever the filters', async () => {
  const aggregate = await backoffice.api.get('/issues?period=daily');
  expect(await backoffice.api.get('/issues?period=daily&status=Open&q=cart&limit=1')).toEqual(aggregate);
});
