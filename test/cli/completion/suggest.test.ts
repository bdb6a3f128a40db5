import { describe, expect, test } from 'vitest';
import { suggest } from '../../../cli/completion/suggest.ts';
import { createProgram } from '../../../cli/program.ts';

const program = await createProgram();

/** Suggests what comes next; the last word is the one being typed. */
function suggested(line: string) {
  const words = line.split(' ');
  return suggest(program, words.slice(0, -1), words.at(-1) ?? '');
}

function valuesOf(line: string): string[] {
  const suggestion = suggested(line);
  return suggestion.kind === 'values' ? suggestion.values.map(({ value }) => value) : [];
}

describe('suggest', () => {
  test.each([
    ['', ['issues', 'doctor', 'completion', 'help']],
    ['admins ', ['list', 'reset-password']],
    ['issues list --', ['--status', '--since', '--server', '--help']],
    ['issues list --json ', []],
    ['issues list --json --', ['--csv']],
    ['--server https://x.example admins ', ['create']],
    ['tokens create --role ', ['superadmin', 'admin', 'user']],
    ['issues set-status 7 ', ['Open', 'In Progress', 'Resolved', 'Closed']],
    ['issues set-status 7 Open ', ['--expected', '--json']],
    ['issues set-status 7 Open --expected C', ['Closed']],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['issue ls --status Open,', ['Open,In Progress', 'Open,Resolved', 'Open,Closed']],
    ['conv ls --', ['--columns', '--jq', '--watch']],
  ])('suggests the words after `backoffice %s`', (line, some) => {
    expect(valuesOf(line)).toEqual(expect.arrayContaining(some));
  });

  test.each([
    ['completion ', 'suggest'],
    ['issues list --status Open --', '--status'],
    ['issues list --status Open --', 'Resolved'],
    ['issues list --limit ', '--status'],
    ['issues list --status Open,', 'Open,Open'],
    ['issues ', 'ls'],
    ['settings set key value -- ', '--json'],
  ])('after `backoffice %s` does not suggest %s', (line, value) => {
    expect(valuesOf(line)).not.toContain(value);
  });

  test('describes each suggestion', () => {
    expect(suggested('issues list --unt')).toMatchObject({
      values: expect.arrayContaining([{ value: '--until', description: 'only created before this time' }]),
    });
  });

  test.each([
    ['settings get ', { source: 'setting keys' }],
    ['settings set ', { source: 'setting keys' }],
    ['settings unset --yes ', { source: 'setting keys' }],
    ['admins update ', { source: 'admins' }],
    ['admins delete ', { source: 'admins' }],
    ['admins activate ', { source: 'admins' }],
    ['admins deactivate ', { source: 'admins' }],
    ['admins reset-password ', { source: 'admins' }],
    ['sessions revoke ', { source: 'signed-in admins' }],
    ['issues set-status ', { source: 'issues' }],
    ['issues show ', { source: 'issues' }],
    ['issues link 7 --conversation ', { source: 'conversations' }],
    ['issues create Title --from-conversation=', { source: 'conversations' }],
    ['conversations show ', { source: 'conversations' }],
    ['conversations reply ', { source: 'conversations' }],
    ['conversations draft approve ', { source: 'conversations' }],
    ['issues list --category ', { source: 'categories' }],
    ['issues list --severity=', { source: 'severities', prefix: '--severity=' }],
    [
      'admins delete --server https://x.example ',
      { source: 'admins', named: { server: 'https://x.example' } },
    ],
    [
      '--server=https://x.example settings get ',
      { source: 'setting keys', named: { server: 'https://x.example' } },
    ],
  ])('looks up the values of `backoffice %s`', (line, lookup) => {
    expect(suggested(line)).toMatchObject({ kind: 'lookup', ...lookup });
  });

  test('leaves files to the shell', () => {
    expect(suggested('settings import --dry-run ')).toEqual({ kind: 'files' });
  });
});
