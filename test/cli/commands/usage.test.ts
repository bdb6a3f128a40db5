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
    await succeeds('prices list', 'large\t2.50\t1.25\t10\nsmall\t0.15\t0.15\t0.60');
    await fails(2, 'prices remove large');
    await succeeds('prices remove large --yes', 'Removed the price of large.');
    await fails(3, 'prices remove large --yes');
    expect(await printed('prices list --json')).toEqual({
      prices: [{ model: 'small', input: '0.15', output: '0.60', cached_input: '0.15' }],
    });
  });

  test.each(['1e3', '-1', '0,15', 'free', '', '0.0000000001'])('refuses the price %j', async (price) => {
    const { code, stderr } = await run('prices set small --output 1 --input', price);
    expect(code).toBe(2);
    expect(stderr).toContain('such as 0.15');
    expect(await setting('token_prices')).toBeUndefined();
  });

  test('reports invalid prices, and keeps them', async () => {
    await sql(
      `insert into settings values ('token_prices', '{"broken":5,"small":{"input":"1","output":"2"}}')`,
    );
    const { code, stdout, stderr } = await run('prices list --json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).prices).toHaveLength(1);
    expect(stderr).toMatch(/^The price of "broken" in the setting token_prices must have/);
    await run('prices set large --input 1 --output 2');
    expect(await setting('token_prices')).toContain('"broken":5');

    await sql(`update settings set setting_value = 'nonsense'`);
    await fails(
      1,
      'prices set large --input 1 --output 2',
      containing('The setting token_prices is not a JSON object. Nothing was changed.'),
    );
    expect(await setting('token_prices')).toBe('nonsense');
  });
});

describe('backoffice usage budget', () => {
  test('sets, shows and removes the budget for all models and for one', async () => {
    expect((await run('budget show')).stderr).toBe(
      'No budgets. Run `backoffice usage budget set` to add one.\n',
    );
    await succeeds('budget set 50.00', 'Set the budget for all models to 50.00 a month.');
    await run('budget set 10 --model large');
    expect(await setting('token_budgets')).toBe('{"total":"50.00","models":{"large":"10"}}');
    expect(await printed('budget show --json')).toEqual({
      budgets: [
        { model: null, limit: '50.00' },
        { model: 'large', limit: '10' },
      ],
    });
    await fails(2, 'budget remove');
    await succeeds('budget remove --yes');
    await fails(3, 'budget remove --yes');
    await fails(3, 'budget remove --model small --yes');
    await succeeds('budget show', 'large\t10');
  });

  test('a budget that cannot be read is not shown as none', async () => {
    await sql(`insert into settings values ('token_budgets', '{"total":'), ('timezone', 'Mars/Olympus')`);
    expect(await run('budget show')).toMatchObject({
      code: 0,
      stderr:
        'The setting token_budgets is not a JSON object.\nThe budgets are unreadable. Run `backoffice settings set token_budgets` to correct them.\n',
    });
    const { stdout } = await succeeds(
      'show --month last',
      containing('  budget    unreadable: The setting token_budgets is not a JSON object.\n'),
    );
    expect(stdout).toContain('  time zone unreadable: The setting timezone must be a zone');
    const before = new Date();
    before.setUTCDate(0);
    expect(stdout).toContain(`${before.toISOString().slice(0, 7)} (UTC)`);
    await fails(2, 'show --month next');
  });

  test.each(['0', '-5', '1.234', 'much'])('refuses %s', async (amount) => {
    await fails(2, `budget set -- ${amount}`, containing('such as 50.00'));
  });
});

describe('a setting that changes during a confirmation prompt', () => {
  test.each([
    ['prices remove small', 'token_prices', '{"small":{"input":"1","output":"1"}}', { new: { input: '2' } }],
    ['budget remove --model small', 'token_budgets', '{"models":{"small":"1.00"}}', { total: '2.00' }],
  ])('keeps that change: %s', async (words, key, stored, another) => {
    await sql(`insert into settings values ('${key}', '${stored}')`);
    const whole = JSON.stringify({ ...JSON.parse(stored), ...another });
    const after = () => sql(`update settings set setting_value = '${whole}'`);
    const { code } = await inTerminal(['usage', ...words.split(' ')], {
      env: here.env('on the database'),
      answers: [{ at: /Remove the/, after, type: 'y' }],
    });
    expect(code).toBe(0);
    const left = await setting(key);
    expect(JSON.parse(String(left))).toMatchObject(another);
    expect(left).not.toContain('small');
  });
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

    const alerts = JSON.parse((await run('alerts', '--json', 'threshold,status,current')).stdout).tokenAlerts;
    expect(alerts).toEqual(
      expect.arrayContaining(
        [0.5, 0.8].map((threshold) => ({ threshold, status: 'firing', current: '8.50' })),
      ),
    );
    await succeeds('alerts', /^firing\twarning\t.*\t8\.50\t\d{4}-\S+Z$/m);
    await run('budget remove --yes');
    expect((await run('alerts')).stdout).not.toMatch(/^firing/m);
    expect((await run('show')).stdout).not.toContain('budget');
  });
});

describe('backoffice usage recompute', () => {
  test('checks the sums, finds wrong ones and corrects them', async () => {
    await sql(`insert into token_usage_records (model, input_tokens) values ('small', 5)`);
    await succeeds('recompute --check', 'All sums are correct.', '');
    await sql(`
      update token_usage_deltas set input_tokens = 6;
      update token_usage_sums set input_tokens = 6;
      update token_usage_buckets set input_tokens = 6;
    `);
    const wrong = await run('recompute --check');
    expect(wrong).toMatchObject({
      code: 1,
      stderr: 'backoffice: 3 sums are wrong. Run `backoffice usage recompute` to fix this.\n',
    });
    expect(wrong.stdout).toMatch(/small +input_tokens +6 +5\n$/);
    expect(JSON.parse((await run('recompute', '--check', '--json', 'width,sum,kept,actual')).stdout)).toEqual(
      {
        differences: ['quarter', 'hour', 'day'].map((width) => ({
          width,
          sum: 'input_tokens',
          kept: 6,
          actual: 5,
        })),
      },
    );
    await succeeds('recompute', 'Recomputed all sums. All are correct.', '');
    await succeeds('recompute --json', '{"differences":[]}');
  });

  test('fails if the sums are still wrong', async () => {
    await sql(`insert into token_usage_records (model, input_tokens) values ('small', 5)`);
    await sql(`create function spoil() returns trigger language plpgsql as
        'begin new.input_tokens := new.input_tokens + 1; return new; end';
      create trigger spoil before insert on token_usage_sums for each row execute function spoil()`);
    const wrong = await run('recompute --json');
    await sql('drop function spoil() cascade');
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout).differences).toMatchObject([{ sum: 'input_tokens', kept: 6, actual: 5 }]);
    expect(wrong.stderr).toMatch(/^backoffice: 1 sum is wrong after the recomputation\. /);
  });
});
