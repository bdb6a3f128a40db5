import { describe, expect, test } from 'vitest';
import {
  withModelBudget,
  withPrice,
  withTotalBudget,
} from '../../../src/contract/known-settings/edit-token-settings.ts';
import { currencyOf, readBudgets, readPrices } from '../../../src/contract/known-settings/token-settings.ts';

const price = { input: '0.15', output: '0.60' };

describe('token_prices', () => {
  const read = (token_prices: string) => {
    const { value, problems } = readPrices({ token_prices });
    return { prices: [...value], problems };
  };

  test('has the price of each model', () => {
    const cached = { ...price, cached_input: '0.075' };
    expect(read(JSON.stringify({ a: price, b: cached }))).toEqual({
      prices: [
        ['a', price],
        ['b', cached],
      ],
      problems: [],
    });
    expect(readPrices({})).toEqual({ value: new Map(), problems: [] });
    expect(read('')).toEqual({ prices: [], problems: [] });
  });

  test.each(['nonsense', '[]', 'null', '"text"', '5'])('has no prices if it is %s', (text) => {
    expect(read(text)).toEqual({ prices: [], problems: ['The setting token_prices is not a JSON object.'] });
  });

  test.each([
    [{ input: '1' }],
    [{ input: 1, output: 2 }],
    [{ input: '1', output: '-1' }],
    [{ input: '1', output: '1e5' }],
    [{ input: '1', output: '.5' }],
    [{ input: '1', output: '0.1234567891' }],
    [{ input: '1', output: '1234567890' }],
    [{ input: '1', output: 'NaN' }],
    [{ input: '1', output: '1', cached_input: null }],
    [{ input: '1\n', output: '1' }],
    [[]],
    [null],
    ['1'],
  ])('ignores and reports only %j', (wrong) => {
    const { prices, problems } = read(JSON.stringify({ wrong, right: price }));
    expect(prices).toEqual([['right', price]]);
    expect(problems).toEqual([expect.stringContaining('The price of "wrong" in the setting token_prices')]);
  });
});

describe('token_budgets', () => {
  const read = (token_budgets: string) => {
    const { value, problems } = readBudgets({ token_budgets });
    return { total: value.total, models: [...value.models], problems };
  };

  test('has the total budget and the budget of each model', () => {
    expect(read('{"total":"50.00","models":{"a":"5"}}')).toEqual({
      total: '50.00',
      models: [['a', '5']],
      problems: [],
    });
    expect(read('{}')).toEqual({ total: undefined, models: [], problems: [] });
  });

  test.each(['0', '0.00', '-5', '1.234', '1234567890123', '1,5', ' 5', 50, null])(
    'ignores and reports only %j',
    (wrong) => {
      const { total, models, problems } = read(
        JSON.stringify({ total: wrong, models: { wrong, right: '1.50' } }),
      );
      expect(total).toBeUndefined();
      expect(models).toEqual([['right', '1.50']]);
      expect(problems).toHaveLength(2);
    },
  );

  test('reports other invalid parts', () => {
    expect(read('[').problems).toEqual(['The setting token_budgets is not a JSON object.']);
    expect(read('{"total":"5","models":["a"]}')).toMatchObject({
      total: '5',
      problems: ['models in the setting token_budgets is not a JSON object.'],
    });
  });
});

// JSON can spell them, and Postgres rejects them.
test.each(['a\0', 'a\ud800', '\udc00a'])('both ignore and report the model %j', (name) => {
  const named = <T>(value: T) => JSON.stringify({ [name]: value, right: value });
  const prices = readPrices({ token_prices: named(price) });
  const budgets = readBudgets({ token_budgets: `{"models":${named('1.50')}}` });
  expect([[...prices.value], [...budgets.value.models]]).toEqual([[['right', price]], [['right', '1.50']]]);
  const problem = (key: string) => [
    expect.stringContaining(`${JSON.stringify(name)} in the setting ${key} is not a valid model name`),
  ];
  expect([prices.problems, budgets.problems]).toEqual([problem('token_prices'), problem('token_budgets')]);
});

describe('a change of one entry', () => {
  test('adds, replaces and removes it', () => {
    const one = withPrice(undefined, 'a', price);
    expect(one).toBe('{"a":{"input":"0.15","output":"0.60"}}');
    const two = withPrice(one ?? '', 'b', { input: '1', output: '2' });
    expect(withPrice(two ?? '', 'a', undefined)).toBe('{"b":{"input":"1","output":"2"}}');
    expect(withTotalBudget('', '5.00')).toBe('{"total":"5.00"}');
    expect(withModelBudget('{"total":"5.00"}', 'a', '1.00')).toBe('{"total":"5.00","models":{"a":"1.00"}}');
    expect(withModelBudget('{"models":{"a":"1.00"}}', 'a', undefined)).toBe('{"models":{}}');
  });

  test('keeps every other entry, valid or not', () => {
    const stored = '{"__proto__":{"x":1},"broken":5}';
    expect(withPrice(stored, 'a', price)).toBe(
      '{"__proto__":{"x":1},"broken":5,"a":{"input":"0.15","output":"0.60"}}',
    );
    expect(withPrice(stored, '__proto__', undefined)).toBe('{"broken":5}');
    expect(withModelBudget('{"note":"x","models":{"__proto__":"1"}}', 'a', '2')).toBe(
      '{"note":"x","models":{"__proto__":"1","a":"2"}}',
    );
  });

  test.each(['nonsense', '[1]', 'null'])('does not overwrite %s', (stored) => {
    expect(withPrice(stored, 'a', price)).toBeNull();
    expect(withTotalBudget(stored, '1')).toBeNull();
    expect(withModelBudget(stored, 'a', '1')).toBeNull();
    expect(withModelBudget(JSON.stringify({ models: JSON.parse('[1]') }), 'a', '1')).toBeNull();
  });
});

test.each([
  [{}, 'USD'],
  [{ currency: '  ' }, 'USD'],
  [{ currency: ' EUR ' }, 'EUR'],
])('the currency of %j is %s', (settings, currency) => {
  expect(currencyOf(settings)).toBe(currency);
});
