import { beforeEach, describe, expect, test } from 'vitest';
import { inTerminal } from '../../support/run/process.ts';
import { checksOf, commandsHere, containing } from '../commands-here.ts';

const here = commandsHere();
const { sql } = here;

beforeEach(() => sql('truncate token_usage_records, token_alerts; delete from settings'));

const run = (words: string, ...texts: string[]) => here.run(`usage ${words}`, ...texts);
const { succeeds, fails } = checksOf(run);
const printed = (words: string) => here.printed(`usage ${words}`);

async function setting(key: string): Promise<unknown> {
  const [row] = await sql(`select setting_value from settings where setting_key = '${key}'`);
  return row?.setting_value;
}

describe('backoffice usage prices', () => {
  test('sets, lists and removes prices, and keeps those of other models', async () => {
    await succeeds('prices list', '', 'No prices. Run `backoffice usage prices set` to add one.');
    await run('prices set large --input 2.50 --output 10 --cached-input 1.25');
    await succeeds('prices set small --input 0.15 --output 0.60', 'Set the price of small.');
    expect(await setting('token_prices')).toBe(
      '{"large":{"input":"2.50","output":"10","cached_input":"1.25"},"small":{"input":"0.15","output":"0.60"}}',
    );
    await succeeds('prices list', 'large\t2.50\t1.25\t10\t\nsmall\t0.15\t0.15\t0.60\t');
    await fails(2, 'prices remove large');
    await succeeds('prices remove large --yes', 'Removed the price of large.');
    await fails(3, 'prices remove large --yes');
    expect(await printed('prices list --json')).toEqual({
      prices: [{ model: 'small', input: '0.15', output: '0.60', cached_input: '0.15', since: null }],
    });
  });

  test('sets a price from a month on, by default the current one, and keeps the cost of earlier months', async () => {
    const month = new Date().toISOString().slice(0, 7);
    await sql(`insert into token_usage_records (model, input_tokens, occurred_at) values
      ('small', 1000000, '2024-02-01'), ('small', 1000000, now())`);
    await run('prices set small --input 9.24 --output 0');
    await succeeds('prices set small --input 18.11 --output 0', `Set the price of small from ${month} on.`);
    await run('budget set 50.00');
    const finished = await succeeds('show --month 2024-02', /^ {2}budget .* 18 % of 50\.00 USD$/m);
    expect(finished.stdout).not.toContain('expected by the end');
    const costs = async () => {
      const shown = [await printed('show --json --month 2024-02'), await printed('show --json')];
      return shown.map(({ tokenUsage }) => tokenUsage.cost);
    };
    expect(await costs()).toEqual(['9.2400', '18.1100']);
    await succeeds('prices list', `small\t9.24\t9.24\t0\t\nsmall\t18.11\t18.11\t0\t${month}`);
    const both = 'Remove all 2 prices of small? Its cost is then unknown, in every month.';
    await fails(2, 'prices remove small', containing(both));
    await run('prices set small --input 1 --output 0 --since 2024-02');
    expect(await costs()).toEqual(['1.0000', '18.1100']);
    await fails(2, 'prices set small --input 1 --output 0 --since 2024-13', containing('such as 2026-08'));
  });

  test('refuses what is no price', async () => {
    for (const price of ['1e3', '-1', '', '0.0000000001'])
      await fails(2, `prices set small --output 1 --input "${price}"`, containing('such as 0.15'));
    expect(await setting('token_prices')).toBeUndefined();
  });

  test('reports invalid prices, and keeps them', async () => {
    const stored = '{"broken":5,"small":{"input":"1","output":"2"}}';
    await sql(`insert into settings values ('token_prices', '${stored}')`);
    const problem = /^The price of "broken" in the setting token_prices must have/;
    await succeeds('prices list', 'small\t1\t1\t2\t', problem);
    const set = 'prices set large --input 1 --output 2';
    await run(set);
    expect(await setting('token_prices')).toContain('"broken":5');

    await sql(`update settings set setting_value = 'nonsense'`);
    const refused = containing('The setting token_prices is not a JSON object. Nothing was changed.');
    await fails(1, set, refused);
    expect(await setting('token_prices')).toBe('nonsense');
  });
});

describe('backoffice usage budget', () => {
  test('sets, shows and removes the budget for all models and for one', async () => {
    await succeeds('budget show', '', 'No budgets. Run `backoffice usage budget set` to add one.');
    await succeeds('budget set 50.00', 'Set the budget for all models to 50.00 a month.');
    await run('budget set 10 --model large');
    expect(await setting('token_budgets')).toBe('{"total":"50.00","models":{"large":"10"}}');
    const budgets = ['{"model":null,"limit":"50.00"}', '{"model":"large","limit":"10"}'];
    await succeeds('budget show --json', `{"budgets":[${budgets}]}`);
    await fails(2, 'budget remove');
    await succeeds('budget remove --yes');
    await fails(3, 'budget remove --yes');
    await fails(3, 'budget remove --model small --yes');
    await succeeds('budget show', 'large\t10');
    for (const amount of ['0', '-5', '1.234'])
      await fails(2, `budget set -- ${amount}`, containing('such as 50.00'));
  });

  test('a budget that cannot be read is not shown as none', async () => {
    await sql(`insert into settings values ('token_budgets', '{"total":'), ('timezone', 'Mars/Olympus')`);
    const problem = 'The setting token_budgets is not a JSON object.';
    const advice = 'The budgets are unreadable. Run `backoffice settings set token_budgets` to correct them.';
    await succeeds('budget show', undefined, `${problem}\n${advice}`);
    const { stdout } = await succeeds(
      'show --month last',
      containing(`  budget    unreadable: ${problem}\n`),
    );
    expect(stdout).toContain('  time zone unreadable: The setting timezone must be a zone');
    await fails(2, 'show --month next');
  });
});

test('a price that is set during a confirmation prompt is kept', async () => {
  const prices = (models: string) =>
    JSON.stringify(Object.fromEntries([...models].map((name) => [name, price])));
  const price = { input: '1', output: '1' };
  await sql(`insert into settings values ('token_prices', '${prices('a')}')`);
  const after = () => sql(`update settings set setting_value = '${prices('ab')}'`);
  const { code } = await inTerminal(['usage', 'prices', 'remove', 'a'], {
    env: here.env('on the database'),
    answers: [{ at: /Remove the/, after, type: 'y' }],
  });
  expect(code).toBe(0);
  expect(JSON.parse(String(await setting('token_prices')))).toEqual({ b: price });
});

describe('backoffice usage show and alerts', () => {
  test('show the cost, the used share of the budget, and firing alerts', async () => {
    await run('prices set small --input 1 --output 0');
    await run('budget set 10.00');
    await sql(
      `insert into token_usage_records (model, input_tokens) values ('small', 8500000), ('other', 42)`,
    );
    // Inserted without the service, so a change of a budget is needed to check the alerts again.
    await run('budget set 1000.00 --model small');
    const { stdout } = await succeeds('show', /^ {2}cost {6}8\.5000 USD$/m);
    expect(stdout).toMatch(/without 42 tokens of models that have no price/);
    expect(stdout).toMatch(
      /^ {2}budget {4}█{20}░{4} 85 % of 10\.00 USD, \d+\.\d\d USD expected by the end of the month$/m,
    );
    expect(stdout).toMatch(
      /^ {2}warning: The cost of \d{4}-\d\d has reached 80 % of its budget of 10\.00 USD\.$/m,
    );

    const csv = (await run('show --csv')).stdout.trimEnd().split('\n');
    expect(csv).toEqual([
      'month,model,provider,requests,inputTokens,outputTokens,totalTokens,cost,currency',
      expect.stringMatching(/^\d{4}-\d\d,small,,1,8500000,0,8500000,8\.5000,USD$/),
      expect.stringMatching(/^\d{4}-\d\d,other,,1,42,0,42,,USD$/),
    ]);
    await fails(2, 'show --csv --json');

    const { tokenAlerts } = await printed('alerts --json threshold,status,current');
    for (const threshold of [0.5, 0.8])
      expect(tokenAlerts).toContainEqual({ threshold, status: 'firing', current: '8.50' });
    await succeeds('alerts', /^firing\twarning\t.*\t8\.50\t\d{4}-\S+Z$/m);
    await run('budget remove --yes');
    expect((await run('alerts')).stdout).not.toMatch(/^firing/m);
    expect((await run('show')).stdout).not.toContain('budget');
  });
});

describe('backoffice recompute', () => {
  const { succeeds } = checksOf(here.run);
  const broken = `
    update token_usage_deltas set input_tokens = 6;
    update token_usage_sums set input_tokens = 6;
    update token_usage_buckets set input_tokens = 6;
  `;
  const wrong = '3 token usage sums are wrong. Run `backoffice recompute usage` to fix this.';
  const all = ['issue counts', 'conversation previews', 'token usage sums'];

  test('checks the data of each noun, finds what is wrong and corrects it', async () => {
    await sql(`insert into token_usage_records (model, input_tokens) values ('small', 5)`);
    await succeeds('recompute --check', all.map((each) => `All ${each} are correct.`).join('\n'), '');
    await sql(broken);
    const { code, stdout, stderr } = await here.run('recompute --check');
    expect({ code, stderr }).toEqual({ code: 1, stderr: `backoffice: ${wrong}\n` });
    expect(stdout).toMatch(
      /^All issue counts .*\nAll conversation previews .*\n(.*\n)+day .* small +input_tokens +6 +5\n$/,
    );
    const { differences } = await here.printed('recompute usage --check --json width,sum,kept,actual');
    const difference = { sum: 'input_tokens', kept: 6, actual: 5 };
    expect(differences).toEqual(['quarter', 'hour', 'day'].map((width) => ({ width, ...difference })));
    await succeeds('recompute', all.map((each) => `Recomputed all ${each}. All are correct.`).join('\n'), '');
  });

  test('has the names that it had before, which help leaves out', async () => {
    await sql(`insert into token_usage_records (model, input_tokens) values ('small', 5); ${broken}`);
    expect(await run('recompute --check')).toMatchObject({ code: 1, stderr: `backoffice: ${wrong}\n` });
    await succeeds('usage recompute', 'Recomputed all token usage sums. All are correct.');
    await succeeds('issues recount --check', 'All issue counts are correct.');
    await succeeds('conversations recompute', 'Recomputed all conversation previews. All are correct.');
    for (const noun of ['usage', 'issues', 'conversations'])
      expect((await here.run(`${noun} --help`)).stdout).not.toMatch(/recompute|recount/);
  });
});
