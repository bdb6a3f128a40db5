import { beforeAll, expect, test } from 'vitest';
import { withClient } from '../../support/postgres/server.ts';
import { untilWaitedFor } from '../../support/postgres.ts';
import { startBackoffice } from '../../support/run/process.ts';
import { commandsHere, containing, done, failed, failedLike } from '../commands-here.ts';

const here = commandsHere();
const { run, runWith, succeeds, fails, printed, sql } = here;

const changeIn = ({ stderr }: { readonly stderr: string }) =>
  /To undo this, run `backoffice changes undo ([\d ]+)`\./.exec(stderr)?.[1] ?? '';

beforeAll(() =>
  sql(`
    insert into issues (id, title, category) select n, 'Issue ' || n, 'Some' from generate_series(1, 5) as n;
    insert into issues (id, title, category) select n, 'Many', 'Many' from generate_series(101, 10150) as n;
    insert into conversations (id, visitor_email, visitor_name) values ('conv_1', 'v', 'V');
    insert into conversation_messages (conversation_id, sender_type, content) values ('conv_1', 'visitor', 'Hello?');
  `),
);

test('`issues update` changes the named issues, and says how to undo it', async () => {
  const update = 'issues update 1 2 99 --status Closed';
  await succeeds(`${update} --dry-run`, 'Would change 2 issues.', 'Not found: 99.');
  const updated = await succeeds(update, 'Changed 2 issues.');
  const change = changeIn(updated);
  expect(await printed('issues history 1 --json change_id,field,before,after,door')).toMatchObject({
    history: [{ change_id: Number(change), field: 'status', before: 'Open', after: 'Closed', door: 'cli' }],
  });
  await run('issues set-status 2 Resolved');
  const undone = await succeeds(`changes undo ${change}`, 'Restored 1 of 2.');
  expect(undone.stderr).toContain('Left 1 that changed since.');
  const nothing = { success: true, restored: 0, left: 2, change_id: null };
  expect(await printed(`changes undo ${change} --json`)).toEqual(nothing);
});

test('`issues update` changes all that match a filter, in as many calls as it takes', async () => {
  const update = 'issues update --filter category:Many --severity High';
  await succeeds(`${update} --dry-run`, 'Would change 10,050 issues.');
  await fails(2, update, containing('Change 10,050 issues? There is no terminal to confirm this.'));
  const { change_id, ...answer } = await printed(`${update} --yes --json`);
  const counts = { matched: 10_050, changed: 10_050, unchanged: 0, unknown: [], remaining: 0 };
  expect(answer).toEqual({ success: true, ...counts });
  await succeeds(`changes undo ${change_id}`, 'Restored 10,050 of 10,050.');
  const numbers = Array.from({ length: 10_050 }, (_, index) => 101 + index).join('\n');
  const same = await runWith(numbers, 'issues update - --severity Low --yes --json unchanged');
  expect(same).toMatchObject(done('{"unchanged":10050}'));
});

test('a change of more than 20 rows asks first', async () => {
  const numbers = Array.from({ length: 21 }, (_, index) => 101 + index);
  await fails(2, `issues set-status ${numbers.join(' ')} Closed`, containing('Set 21 issues to Closed?'));
  await succeeds(`issues set-status ${numbers.slice(1).join(' ')} Closed`, 'Changed 20 issues.');
});

test('`issues set-status` takes several numbers, those of standard input, and a filter', async () => {
  await succeeds('issues set-status 1 #2 99 in-progress', 'Changed 2 issues.', /Not found: 99\.\n/);
  const piped = await runWith('1\r\n\n3\n', 'issues set-status - Resolved');
  expect(piped).toMatchObject(done('Changed 2 issues.'));
  const wrong =
    'Line 2 of standard input: "ID" is not the number of an issue. Use `backoffice issues list --quiet` to pipe only ids.';
  expect(await runWith('1\nID\n', 'issues set-status - Closed')).toEqual(failed(2, wrong));
  const filter = '--filter "status:res severity:low category:Some newer:1d"';
  await succeeds(
    `issues set-status closed --dry-run ${filter}`,
    'Would change 2 issues.',
    '  3  Issue 3 (Low, Resolved)\n  1  Issue 1 (Low, Resolved)',
  );
  const both = 'Use either --status or --filter for it, not both.';
  await fails(2, 'issues list --status open --filter status:closed', both);
  const closed = await succeeds(`issues set-status closed ${filter}`, 'Changed 2 issues.');
  // The last change is undone first.
  const opened = await run('issues set-status 1 Open');
  const unknown = await run(`changes undo ${changeIn(opened)} 999998 ${changeIn(closed)} 999999`);
  expect(unknown).toMatchObject({ code: 3, stdout: 'Restored 3 of 3.\n' });
  expect(unknown.stderr).toMatch(/^To undo this, .*\nbackoffice: No change 999998, 999999\. /);
});

test('`assign` changes what nobody works on, and takes back what somebody does', async () => {
  await here.service.signIn('admin', 'ada@example.com');
  await succeeds(
    'issues assign --to ada@example.com --filter "assignee:none category:Some"',
    'Changed 5 issues.',
  );
  await succeeds(
    'issues assign --filter assignee:ada@example.com --to none --dry-run',
    'Would change 5 issues.',
  );
});

test('the history of a conversation shows a change of its status, and how an undo takes it back', async () => {
  for (const [status, before, after] of [
    ['closed', 'open', 'closed'],
    ['pending', 'closed', 'pending'],
  ]) {
    const set = await succeeds(
      `conversations set-status conv_1 ${status}`,
      `Conversation conv_1 is ${status}.`,
    );
    const entry = new RegExp(`^${changeIn(set)}\\tstatus\\t${before}\\t${after}\\t\\S+\\tcli\\t\\S+\\n$`);
    await succeeds('conversations history conv_1 --limit 1', entry);
  }
  const { history } = await printed('conversations history conv_1 --json change_id');
  const numbers = history.map(({ change_id }: { change_id: number }) => change_id).join(' ');
  await succeeds(`changes undo ${numbers}`, 'Restored 2 of 2.');
  await succeeds('conversations history conv_1 --limit 1', containing('\tclosed\topen\t'));
});

test('`issues edit` sets fields by options', async () => {
  const edit = 'issues edit 3 --title Renamed --description - --severity critical';
  expect(await runWith('Two\nlines\n', edit)).toMatchObject(done('Changed 1 issue.'));
  const { issue } = await printed('issues show 3 --json');
  expect(issue).toMatchObject({ title: 'Renamed', description: 'Two\nlines', severity: 'Critical' });
});

test('an empty value selects no rows: one of unset variables, and one that searches ignore', async () => {
  await run('issues update 1 --add-label Kept');
  for (const [command, filter, name] of [
    ['issues delete', 'label:,', 'label'],
    ['issues delete', 'label:, status:open', 'label'],
    ['issues delete', 'severity:,', 'severity'],
    ['issues delete', '\u200b', 'search'],
    ['issues delete', '\u0301 status:open', 'search'],
    ['issues update --status closed', '\u00ad\u2060', 'search'],
    ['conversations set-status closed', 'label:,', 'label'],
    ['conversations read', 'label:,', 'label'],
    ['conversations delete', '\u0301', 'search'],
  ])
    expect(await run(`${command} --yes --filter`, filter ?? '')).toEqual(
      failedLike(2, `--${name} is empty.`),
    );
  for (const list of ['issues', 'conversations'])
    await fails(
      2,
      `${list} list --label ,`,
      'label has only commas. Send at least one value, or leave it out.',
    );
  expect(await sql('select count(*)::int from issues')).toEqual([{ count: 10_055 }]);
});

test('`issues delete` asks first, and deletes with --yes', async () => {
  await succeeds('issues delete 4 5 99 --dry-run', 'Would delete 2 issues.');
  await fails(2, 'issues delete 4', containing('Delete 1 issue with its history, links and comments?'));
  await succeeds('issues delete 4 5 --yes --json', '{"success":true,"deleted":2}');
  await fails(3, 'issues delete 4 5 --yes');
  await succeeds(
    'issues delete --filter category:Many --dry-run',
    'Would delete 10,050 issues.',
    / {2}10150 {2}Many \(Low, Open\)\n.*\n {2}and 10,045 more\n/s,
  );
  await succeeds('issues delete --filter category:Many --yes', 'Deleted 10,050 issues.');
});

test('`conversations update` sets the status and marks as read', async () => {
  const update = 'conversations update conv_1 --status resolved --read';
  await succeeds(`${update} --dry-run`, 'Would change 1 conversation.');
  await succeeds(update, 'Changed 1 conversation.');
  await sql(`
    insert into conversation_messages (conversation_id, sender_type, content) values ('conv_1', 'visitor', '?')
  `);
  const unread = 'conversations read --filter "is:unread status:open"';
  const named = '  conv_1  V: (no subject) (open)';
  await succeeds(`${unread} --dry-run`, 'Would change 1 conversation.', named);
  await succeeds(unread, 'Changed 1 conversation.');
  const piped = await runWith('conv_1\n', 'conversations set-status - closed --json changed');
  expect(piped).toMatchObject(done('{"changed":1}'));
  await sql(`insert into conversations (id, visitor_email, visitor_name) values ('conv_2', 'w', 'W')`);
  const question = containing('Delete 2 conversations and all their messages?');
  await fails(2, 'conversations delete --filter older:0d', question);
  const deletion = 'conversations delete conv_2 conv_3 --yes --json';
  await succeeds(deletion, '{"success":true,"deleted":1}', 'Not found: conv_3.');
});

test('Ctrl-C stops `conversations delete` after the one that is being deleted', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `gone_${index}`);
  await sql(`
    insert into conversations (id, visitor_email, visitor_name)
    select 'gone_' || n, 'v', 'V' from generate_series(0, 59) as n
  `);
  const stopped = await withClient(here.service.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(`select from conversations where id = 'gone_1' for update`);
    const args = ['conversations', 'delete', ...ids, '--yes'];
    const command = startBackoffice(args, { env: here.env('on the database') });
    await untilWaitedFor(client);
    command.process.kill('SIGINT');
    await client.query('commit');
    return await command.finished;
  });
  const rest = (await sql(`select from conversations where id like 'gone_%'`)).length;
  expect(rest).toBeGreaterThan(1);
  expect(stopped).toEqual({
    code: 130,
    stdout: `Deleted ${60 - rest} conversations.\n`,
    stderr: 'backoffice: Stopped. The others were not deleted.\n',
  });
});

test.each<[code: number, words: string, ...texts: string[]]>([
  [2, 'issues update --status Closed'],
  [2, 'issues update 1 --filter status:open --status Closed'],
  [2, 'issues update 1'],
  [2, 'issues update 1 2 --title Same'],
  [3, 'issues update 98 99 --status Closed'],
  [3, 'issues update 1 --assignee nobody@example.com'],
  [3, 'issues history 99'],
  [2, 'changes undo'],
  [3, 'changes undo 999999'],
  [3, 'conversations update conv_unknown --read'],
  [2, 'issues set-status Closed'],
  [2, 'issues set-status 1 Done'],
  [2, 'conversations update conv_1'],
  [2, 'conversations set-status conv_1 closed --expected open --dry-run'],
  [2, 'issues set-status Closed --filter sverity:high'],
  [2, 'issues set-status Closed --filter older:someday'],
  [2, 'issues set-status Closed --filter', ' '],
  [2, 'issues delete --filter category:"" --yes'],
  [2, 'conversations delete --yes --filter', 'status: is:unread'],
  [2, 'issues delete 1 --dry-run --jq .matched['],
  [2, 'issues edit 1'],
  [2, 'issues edit 1 --steps - --description -'],
  [2, 'conversations delete --status closed'],
])('ends with exit code %i: %s', async (code, words, ...texts) => {
  expect(await run(words, ...texts)).toMatchObject({ code, stdout: '' });
});
