import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shadesOf } from '../../src/contract/known-settings/accent-shades.ts';
import { readBranding } from '../../src/contract/known-settings/branding.ts';
import {
  sinceOfNewPrice,
  withModelBudget,
  withoutPrice,
  withPrice,
  withTotalBudget,
} from '../../src/contract/known-settings/edit-token-settings.ts';
import { knownSettings, settingProblem } from '../../src/contract/known-settings/known-settings.ts';
import { readSecondFactorPolicy } from '../../src/contract/known-settings/second-factor.ts';
import { refusalToChange, retentionKeys } from '../../src/contract/known-settings/setting-rights.ts';
import {
  currencyOf,
  pricesIn,
  readBudgets,
  readPrices,
  usageKeys,
} from '../../src/contract/known-settings/token-settings.ts';
import { luminanceOf } from '../../src/shared/colors.ts';
import { png, svg } from '../support/here/rows.ts';

test('knows every setting that the service reads, once', () => {
  const keys = knownSettings.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(expect.arrayContaining([...retentionKeys, ...usageKeys]));
});

test('tells who may change a setting that protects something', () => {
  expect(refusalToChange('user', 'SIGN_IN_SECOND_FACTOR', true)).toBeUndefined();
  const toManagers = 'Only superadmins and admins can change this setting.';
  for (const strict of [false, true]) {
    expect(refusalToChange('admin', 'currency', strict)).toBeUndefined();
    expect(refusalToChange('user', 'currency', strict)).toBe(strict ? toManagers : undefined);
    expect(refusalToChange('user', 'audit_retention_days', strict)).toBe(toManagers);
    expect(refusalToChange('admin', 'sign_in_second_factor', strict)).toBe(
      'Only superadmins can change this setting.',
    );
  }
});

test('the empty text is the default of each', () => {
  expect(knownSettings.map(({ problemOf }) => problemOf(''))).toEqual(knownSettings.map(() => undefined));
});

// What the API refuses of the others is in the fixtures of `test/every`.
test.for([
  ['timezone', 'Europe/Berlin', 'Mars/Phobos', 'must be a zone of the IANA database'],
  ['events_retention_days', '9999', '10000', 'must be a number of days from 1 to 9999'],
  ['audit_retention_days', '99999', '100000', 'must be a number of days from 30 to 99999'],
  ['token_prices', '{"a":{"input":"1","output":"2"}}', '{"a":{"input":1,"output":"2"}}', 'must have input'],
  ['token_budgets', '{"total":"50.00"}', '{"total":"-1"}', 'must be a text such as'],
] as const)('checks %s', ([key, valid, invalid, sentence]) => {
  expect(settingProblem(key, valid)).toBeUndefined();
  expect(settingProblem(key, invalid)).toContain(sentence);
  expect(settingProblem(`${key}_of_the_site`, invalid)).toBeUndefined();
});

const forAll = (mode: string) => ({ superadmin: mode, admin: mode, user: mode });
const optional = forAll('optional');

test.for([
  [undefined, optional],
  ['', optional],
  ['off', forAll('off')],
  [' required\n', forAll('required')],
  ['{"superadmin":"required","user":"off"}', { superadmin: 'required', admin: 'optional', user: 'off' }],
  ['Required', optional, 'must be off, optional, required, or JSON'],
  ['[]', optional, 'must be off, optional, required, or JSON'],
  ['{"admin":null,"user":"off"}', { ...optional, user: 'off' }, 'The mode of admin'],
  ['{"owner":"required"}', optional, '"owner" in the setting sign_in_second_factor is not a role.'],
  ['{"__proto__":"required"}', optional, '"__proto__" in the setting'],
] as const)('reads the policy of second factors %j, and counts what is invalid as optional', (row) => {
  const [sign_in_second_factor, value, problem] = row;
  const settings = sign_in_second_factor === undefined ? {} : { sign_in_second_factor };
  const problems = problem === undefined ? [] : [expect.stringContaining(problem)];
  expect(readSecondFactorPolicy(settings)).toEqual({ value, problems });
});

const price = { input: '0.15', output: '0.60' };

describe('token_prices', () => {
  const read = (token_prices?: string) => {
    const { value, problems } = readPrices(token_prices === undefined ? {} : { token_prices });
    return { prices: [...value], problems };
  };

  test('has the price of each model', () => {
    const given = { a: price, b: { ...price, cached_input: '0.075' } };
    const prices = Object.entries(given).map(([model, only]) => [model, [only]]);
    expect(read(JSON.stringify(given))).toEqual({ prices, problems: [] });
    expect(read()).toEqual({ prices: [], problems: [] });
    const problems = ['The setting token_prices is not a JSON object.'];
    for (const text of ['nonsense', '[]', 'null']) expect(read(text)).toEqual({ prices: [], problems });
  });

  test.each([
    ...[{ input: '1' }, { input: 1, output: 2 }, null, [], [[price]], [price, 5]],
    ...['-1', '1e5', '0.1234567891', '1234567890'].map((output) => ({ input: '1', output })),
    { input: '1', output: '1', cached_input: null },
    { input: '1\n', output: '1' },
  ])('ignores and reports only %j', (wrong) => {
    const { prices, problems } = read(JSON.stringify({ wrong, right: price }));
    expect(prices).toEqual([['right', [price]]]);
    expect(problems).toEqual([expect.stringContaining('The price of "wrong" in the setting token_prices')]);
  });

  test('may have several prices of a model, each from another month on', () => {
    const [november, january] = [
      { ...price, since: '2026-11' },
      { ...price, since: '2027-01' },
    ];
    const text = JSON.stringify({ a: [january, price, november], b: november });
    expect(read(text).prices).toEqual([
      ['a', [price, november, january]],
      ['b', [november]],
    ]);
    const months = ['1999-12', '2026-10', '2026-11', '2026-12', '2027-01', '2999-12'];
    const found = months.map((month) => pricesIn({ token_prices: text }, month));
    expect(found.map((prices) => prices.get('a'))).toEqual([
      ...[price, price, november, november, january, january],
    ]);
    expect(found.map((prices) => prices.has('b'))).toEqual([false, false, true, true, true, true]);
  });

  test.each([
    ...['2026', '2026-13', '2026-11-01', '', null, 5].map((since) => [{ ...price, since }]),
    [price, price],
    ['2026-11', '2026-11'].map((since) => ({ ...price, since })),
  ])('ignores and reports only the months of %j', (...wrong) => {
    const { prices, problems } = read(JSON.stringify({ wrong, right: price }));
    expect(prices).toEqual([['right', [price]]]);
    expect(problems).toEqual([expect.stringContaining('Each price of "wrong" in the setting token_prices')]);
  });
});

describe('token_budgets', () => {
  const read = (token_budgets: string) => {
    const { value, problems } = readBudgets({ token_budgets });
    return { total: value.total, models: [...value.models], problems };
  };

  test('has the total budget and the budget of each model, and reports what is neither', () => {
    const models = [['a', '5']];
    expect(read('{"total":"50.00","models":{"a":"5"}}')).toEqual({ total: '50.00', models, problems: [] });
    expect(read('{}')).toEqual({ total: undefined, models: [], problems: [] });
    expect(read('[').problems).toEqual(['The setting token_budgets is not a JSON object.']);
    const problems = ['models in the setting token_budgets is not a JSON object.'];
    expect(read('{"total":"5","models":["a"]}')).toEqual({ total: '5', models: [], problems });
  });

  test.each(['0.00', '-5', '1.234', '1234567890123', ' 5', 50])('ignores and reports only %j', (wrong) => {
    const { total, models, problems } = read(
      JSON.stringify({ total: wrong, models: { wrong, right: '1.50' } }),
    );
    expect({ total, models }).toEqual({ total: undefined, models: [['right', '1.50']] });
    expect(problems).toHaveLength(2);
  });
});

// JSON can spell them, and Postgres rejects them.
test.each(['a\0', 'a\ud800', '\udc00a'])('both ignore and report the model %j', (name) => {
  const named = <T>(value: T) => JSON.stringify({ [name]: value, right: value });
  const prices = readPrices({ token_prices: named(price) });
  const budgets = readBudgets({ token_budgets: `{"models":${named('1.50')}}` });
  expect([[...prices.value], [...budgets.value.models]]).toEqual([[['right', [price]]], [['right', '1.50']]]);
  const start = `${JSON.stringify(name)} in the setting`;
  for (const { problems } of [prices, budgets]) expect(problems).toEqual([expect.stringContaining(start)]);
});

describe('a change of one entry', () => {
  test('keeps every other entry, valid or not', () => {
    const stored = '{"__proto__":{"x":1},"broken":5}';
    expect(withPrice(stored, 'a', price)).toBe(
      '{"__proto__":{"x":1},"broken":5,"a":{"input":"0.15","output":"0.60"}}',
    );
    expect(withoutPrice(stored, '__proto__')).toBe('{"broken":5}');
    expect(withModelBudget('{"note":"x","models":{"__proto__":"1"}}', 'a', '2')).toBe(
      '{"note":"x","models":{"__proto__":"1","a":"2"}}',
    );
  });

  test('adds a price that holds from a month on, and replaces only the one of the same month', () => {
    const [first, second] = [
      { ...price, since: '2026-11' },
      { ...price, output: '2', since: '2026-11' },
    ];
    const stored = JSON.stringify({ __proto__: null, a: price });
    const since = ['a', 'b', '__proto__'].map((model) => sinceOfNewPrice(stored, model, '2026-11'));
    expect(since).toEqual(['2026-11', undefined, undefined]);
    const added = withPrice(stored, 'a', first) ?? '';
    expect(JSON.parse(added)).toEqual({ a: [price, first] });
    expect(JSON.parse(withPrice(added, 'a', second) ?? '')).toEqual({ a: [price, second] });
    expect(JSON.parse(withPrice(added, 'a', { ...price, input: '9' }) ?? '')).toEqual({
      a: [{ ...price, input: '9' }, first],
    });
    expect(withoutPrice(added, 'a')).toBe('{}');
  });

  test.each(['nonsense', '[1]', 'null'])('does not overwrite %s', (stored) => {
    expect(withPrice(stored, 'a', price)).toBeNull();
    expect(withoutPrice(stored, 'a')).toBeNull();
    expect(withTotalBudget(stored, '1')).toBeNull();
    expect(withModelBudget(stored, 'a', '1')).toBeNull();
    expect(withModelBudget(JSON.stringify({ models: JSON.parse('[1]') }), 'a', '1')).toBeNull();
  });
});

test('the currency is USD, or what the setting says', () => {
  const currencies = [{}, { currency: '  ' }, { currency: ' EUR ' }].map(currencyOf);
  expect(currencies).toEqual(['USD', 'USD', 'EUR']);
});

describe('the branding', () => {
  const usual = { name: 'Backoffice', logo: null, accent: null };

  test('has defaults, and reads valid settings', () => {
    for (const settings of [{}, { site_name: ' ', site_logo: '', accent_color: '' }])
      expect(readBranding(settings)).toEqual({ value: usual, problems: [] });
    expect(readBranding({ site_name: ' Ada & Co ', site_logo: svg, accent_color: '#0B7285' })).toEqual({
      value: {
        name: 'Ada & Co',
        logo: { type: 'image/svg+xml', base64: svg.split(',')[1] },
        accent: '#0b7285',
      },
      problems: [],
    });
    expect(readBranding({ site_logo: png }).value.logo?.type).toBe('image/png');
  });

  const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

  test.for([
    ['site_name', 'two\nlines'],
    ['accent_color', '#fff'],
    ['accent_color', '#0b7285;}body{display:none'],
    ['site_logo', 'data:text/html;base64,PHN2Zz4='],
    ['site_logo', 'data:image/gif;base64,R0lGODlh'],
    ['site_logo', `data:image/png;base64,${base64('<svg></svg>')}`],
    ['site_logo', `data:image/webp;base64,${base64('RIFF....WAVE')}`],
    ['site_logo', `data:image/svg+xml;base64,${base64('<html></html>')}`],
    ['site_logo', `data:image/svg+xml;base64,${base64(`<svg>${' '.repeat(64_000)}</svg>`)}`],
  ] as const)('counts an invalid value as absent, and says why: %s %s', ([key, value]) => {
    const { value: branding, problems } = readBranding({ [key]: value });
    expect(branding).toEqual(usual);
    expect(problems).toEqual([expect.stringContaining(`The setting ${key} must be`)]);
  });

  const channel = ['00', '55', 'aa', 'ff'];
  const accents = channel.flatMap((red) =>
    channel.flatMap((green) => channel.map((blue) => `#${red}${green}${blue}`)),
  );

  /** WCAG 2.2, from 1 to 21. */
  const contrastOf = (...colors: [string, string]) => {
    const [lower, higher] = colors.map(luminanceOf).sort((a, b) => a - b) as [number, number];
    return (higher + 0.05) / (lower + 0.05);
  };

  test.for(accents)('the shades of the accent %s can be read in both themes', (accent) => {
    const { light, dark, filled, filledHover } = shadesOf(accent);
    const pairs = [
      ...['#ffffff', '#f5f6f8', '#e7f0fa', light.selection].map((surface) => [light.accent, surface]),
      ...['#1d2025', '#15171b', '#1b3048', dark.selection].map((surface) => [dark.accent, surface]),
      ...[filled, filledHover].map((button) => ['#ffffff', button]),
    ] as [string, string][];
    expect(Math.min(...pairs.map((pair) => contrastOf(...pair)))).toBeGreaterThanOrEqual(4.5);
    // As light as those of the theme, so that its other texts can be read on them too.
    expect(luminanceOf(light.selection)).toBeGreaterThanOrEqual(luminanceOf('#e7f0fa'));
    expect(luminanceOf(dark.selection)).toBeLessThanOrEqual(luminanceOf('#1b3048'));
  });

  test('the shades are the accent where that can be read, on the surfaces that the theme has', () => {
    expect(shadesOf('#1864ab').light.accent).toBe('#1864ab');
    expect(shadesOf('#74b8f5').dark.accent).toBe('#74b8f5');
    const theme = readFileSync('web/src/app/theme/theme.css', 'utf8');
    expect(theme).toContain('--surface: light-dark(#ffffff, #1d2025)');
    expect(theme).toContain('--accent-soft: light-dark(#e7f0fa, #1b3048)');
  });
});
