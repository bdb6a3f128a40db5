import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandsHere, containing, runIn } from '../commands-here.ts';

const here = commandsHere();
const { run, succeeds, fails, printed, sql } = here;
let conversation: string;

beforeAll(async () => {
  await here.client.call('issues.create', { title: 'Invoices are not sent' });
  const visitor = { visitor_email: 'ada@example.com', visitor_name: 'Ada $& Byron', subject: 'An invoice' };
  conversation = (await here.client.call('conversations.create', visitor)).conversation.id;
});

/** Calls a function with the nouns of the records, and the id of the only one of each. */
async function ofEach(check: (noun: 'issue' | 'conversation', id: string) => Promise<void>): Promise<void> {
  await check('issue', '1');
  await check('conversation', conversation);
}

describe('working together', () => {
  test('assigns issues and conversations by e-mail, lists them by assignee, and unassigns them', async () => {
    await ofEach(async (one, id) => {
      const noun = `${one}s`;
      await succeeds(`${noun} assign ${id} --to GRACE@example.com`, `Changed 1 ${one}.`);
      await succeeds(`${noun} show ${id}`, containing('assigned to grace@example.com'));
      const mine = `${noun} list --assignee grace@example.com --include assignee`;
      await succeeds(mine, /\tgrace@example\.com\n$/);
      await succeeds(`${noun} assign ${id} --to none`);
      await succeeds(`${noun} list --assignee none`, containing(id));
      const history = /^\d+\tassignee\tgrace@example\.com\t\t.*\n\d+\tassignee\t\tgrace@example\.com\t/;
      await succeeds(`${noun} history ${id}`, history);
      await fails(2, `${noun} assign ${id} --to me`);
      await fails(3, `${noun} assign ${id} --to nobody@example.com`);
    });
    await fails(3, 'issues assign 99 --to grace@example.com');
  });

  test('adds, shows, lists, renames and deletes labels', async () => {
    await ofEach(async (one, id) => {
      const noun = `${one}s`;
      const add = '--add-label urgent,Invoices --add-label apps';
      await succeeds(`${noun} update ${id} ${add}`, `Changed 1 ${one}.`);
      await succeeds(`${noun} show ${id}`, containing('labels: apps, Invoices, urgent'));
      await succeeds(`${noun} update ${id} --remove-label APPS`);
      await succeeds(`${noun} list --label invoices --include assignee,labels`, /\tInvoices, urgent\n$/);
      const { [noun]: rows } = await printed(`${noun} list --include assignee,labels --json assignee,labels`);
      expect(rows[0]).toEqual({ assignee: null, labels: ['Invoices', 'urgent'] });
      expect((await run(`${noun} list --label none`)).stdout).not.toContain(id);
      await succeeds(
        `${noun} update --filter label:urgent --remove-label urgent --dry-run`,
        containing(`1 ${one}`),
      );
      expect(await run(`${noun} update ${id} --add-label`, 'a'.repeat(51))).toMatchObject({ code: 2 });
      const change = /\tlabels\tapps, Invoices, urgent\tInvoices, urgent\t/;
      await succeeds(`${noun} history ${id}`, change);
    });
    await succeeds('labels list', 'apps\t0\t0\nInvoices\t1\t1\nurgent\t1\t1');
    const both = 'Renamed the label Invoices to billing: 1 issue and 1 conversation.';
    const renamed = await succeeds('labels rename invoices billing --yes', both);
    const [, changes = ''] = /`backoffice changes undo ([\d ]+)`/.exec(renamed.stderr) ?? [];
    await succeeds(`changes undo ${changes}`);
    await succeeds('issues show 1', containing('labels: Invoices, urgent'));
    await fails(2, 'labels delete urgent');
    await succeeds('labels delete urgent --yes');
    await fails(3, 'labels delete urgent --yes');
    const { id } = await printed('issues create --label mails,urgent --json --title', 'Mails are late');
    await succeeds(`issues show ${id}`, containing('labels: mails, urgent'));
  });

  test('adds, shows, edits and deletes comments', async () => {
    await ofEach(async (noun, id) => {
      const added = await printed(`comments add --${noun} ${id}`, 'Only Safari', '--json');
      const comment = String(added.comment.id);
      expect(await run(`comments edit ${comment}`, 'Safari and\nChrome')).toMatchObject({ code: 0 });
      await succeeds(`${noun}s show ${id}`, / {2}Safari and\n {2}Chrome/);
      await succeeds(`comments list --${noun} ${id}`, containing(`comment ${comment}`));
      await succeeds(`comments delete ${comment} --yes`);
      await succeeds(`comments list --${noun} ${id}`, '');
      await fails(3, `comments edit ${comment} Gone`);
    });
    await fails(3, 'comments add --issue 99 Text');
    await fails(2, 'comments add Text');
  });

  test('saves replies, and sends one with its placeholders filled in', async () => {
    const text = 'Hello {{visitor_name}}, about {{conversation_id}} and {{order}}.';
    const created = await run('saved-replies create Hello', 'A greeting', text);
    const remark = expect.stringContaining('Visitors will see {{order}} as it is.');
    expect(created).toMatchObject({ code: 0, stderr: remark });
    expect(await run('saved-replies create hello Another', text)).toMatchObject({ code: 1 });
    await succeeds('saved-replies list', containing('A greeting'));
    await succeeds(`conversations reply ${conversation} --saved HELLO`);
    const sent = `Hello Ada $& Byron, about ${conversation} and {{order}}.`;
    await succeeds(`conversations show ${conversation}`, containing(sent));
    await run('saved-replies update hello --new-shortcut bye --text', 'By {{admin_name}}');
    const nameless = await run(`conversations reply ${conversation} --saved bye`);
    expect(nameless).toMatchObject({ code: 2, stderr: expect.stringContaining('{{admin_name}}') });
    await succeeds('saved-replies delete bye --yes');
    await fails(3, 'saved-replies delete bye --yes');
  });

  test('saves, renames, lists and deletes views', async () => {
    expect(
      await run('views save issues Mine --filter', 'severity:crit status:open,inprogress newer:30d x'),
    ).toMatchObject({
      code: 0,
      stdout: 'Saved the view Mine.\n',
    });
    await succeeds('views save issues Mine --sort -updated_at --fields id,title --first --new-name Ours');
    await succeeds(
      'views list',
      'issues\tOurs\tseverity:critical status:open,inprogress newer:30d x\t-updated_at\tyes',
    );
    const { views } = await printed('views list --json');
    const filter = { severity: 'Critical', status: 'Open,In Progress', since: '30d', q: 'x' };
    expect(views).toEqual([
      { list: 'issues', name: 'Ours', filter, sort: '-updated_at', columns: ['id', 'title'], is_first: true },
    ]);
    const wrong = { code: 2, stderr: expect.stringContaining('No status “done”. Use Open, ') };
    expect(await run('views save issues Theirs --filter status:done')).toMatchObject(wrong);
    await fails(2, 'views save issues Theirs');
    await succeeds('views delete issues Ours --yes');
    await fails(3, 'views delete issues Ours --yes');
  });
});

describe('backoffice issues', () => {
  test('creates an issue from a conversation, then shows, unlinks and links it', async () => {
    const id = conversation;
    const made = await printed(`issues create --from-conversation ${id} --json --title`, 'None are sent');
    const line = new RegExp(`^ {2}conversation ${id}: An invoice \\(just now by .+\\)$`, 'm');
    await succeeds(`issues show ${made.id}`, line);
    await succeeds(`issues unlink ${made.id} --conversation ${id}`);
    expect((await run(`issues show ${made.id}`)).stdout).not.toMatch(line);
    await fails(3, `issues unlink ${made.id} --conversation ${id}`);
    await succeeds(`issues link ${made.id} --conversation ${id}`);
    await fails(1, `issues link ${made.id} --conversation ${id}`);
    const { links } = await printed(`issues show ${made.id} --json`);
    expect(links).toMatchObject([{ issue_id: made.id, conversation_id: id }]);
  });

  test.each([
    [2, 'link 1'],
    [2, 'link 1 --conversation x --scraping-error 1'],
    [3, 'link 1 --conversation conv_1769851800000_none'],
    [3, 'show 999999'],
    [3, 'create T --from-scraping-error 999999'],
    [2, 'create T --title Another'],
  ])('ends with exit code %i: issues %s', async (code, words) => {
    expect(await run(`issues ${words}`)).toMatchObject({ code, stdout: '' });
  });

  test('prints each bar of the charts as a row of CSV', async () => {
    const { stdout } = await run('issues stats --csv');
    expect(stdout).toMatch(/^chart,age,name,count\n/);
    for (const start of ['age,Last Hour', 'severity,', 'status,', 'category,'])
      expect(stdout).toMatch(new RegExp(`^${start},[\\w ]+,[1-9]\\d*$`, 'm'));
  });

  test('finds and corrects wrong counts', async () => {
    await sql(`
      alter table issues disable trigger user;
      insert into issues (title, severity, status, category, created_at)
      values ('uncounted', 'Severe', 'Closed', 'Lost', '2026-01-31 09:30Z');
      alter table issues enable trigger user;
    `);
    const { code, stdout, stderr } = await run('recompute issues --check');
    expect(stdout.replaceAll(/ +/g, ' ').split(/ ?\n/)).toEqual([
      'COUNTER KEY STARTS_AT COUNTED ACTUAL',
      'category Lost - 0 1',
      'day Severe 2026-01-31T00:00:00.000Z 0 1',
      'hour Severe 2026-01-31T09:00:00.000Z 0 1',
      'severity Severe - 0 1',
      'status Closed - 0 1',
      '',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/counts are wrong\. Run `backoffice recompute issues` to fix this\./);
    await succeeds('recompute issues');
    await succeeds('recompute issues --check');
  });
});

test('the audit trail refuses unknown values, because an empty list would look as if nothing had happened', async () => {
  const events = 'admin.updated, admin.deleted, invitation.created';
  await fails(2, 'audit list --event admin.delete', containing(events));
  await fails(2, 'audit list --via foo', containing('http, cli, tui, mcp, job'));
  await succeeds('audit list --via http,job --operation conversations.create', /\tconversation\.created\t/);
  await succeeds('audit list --door cli --operation conversations.create', '', 'No audit records match.');
});

test('says how to connect a website, with a sample whose new token works', async () => {
  await succeeds('connect', /^issues +Issues +✓ connected$/m);
  expect((await printed('connect --json')).cards).toContainEqual({
    card: 'usage',
    title: 'Model usage',
    connected: false,
  });
  await succeeds('connect usage --language node', containing('Bearer TOKEN'));
  await succeeds(
    'connect contact',
    containing('The contact page is off: backoffice settings set contact_page 1'),
  );
  await fails(2, 'connect contact --new-token', containing('--new-token needs'));
  const { stdout } = await runIn(() => here.env('through a server'))('connect usage --new-token');
  await promisify(execFile)('sh', [
    '-ec',
    stdout.slice(stdout.indexOf('curl '), stdout.indexOf('\n\nConnected')),
  ]);
  expect((await printed('connect usage --json')).connected).toBe(true);
});
