import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../../cli/program.ts';
import { childrenOf } from '../../../cli/reference/command.ts';
import { renderManPages } from '../../../cli/reference/man-page.ts';
import { roff } from '../../../cli/reference/roff.ts';
import { everyCommand } from '../../support/run/every-command.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = await createProgram();
const pages = renderManPages(program);

describe('the manual', () => {
  test('has a page of the program and one of each of its commands, which the build writes', async () => {
    const names = ['backoffice', ...childrenOf(program).map((each) => `backoffice-${each.name()}`)];
    expect(pages.map(({ name }) => name)).toEqual(names);
    const folder = fileURLToPath(new URL('../../../dist/man/', import.meta.url));
    expect((await readdir(folder)).sort()).toEqual(names.map((name) => `${name}.1`).sort());
    const { man } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(man, 'package.json').toEqual(names.map((name) => `dist/man/${name}.1`).sort());
    for (const { name, text } of pages) expect(await readFile(`${folder}${name}.1`, 'utf8')).toBe(text);
  });

  test('names every option of every command', () => {
    const text = pages.map((page) => page.text).join('\n');
    for (const [words, command] of everyCommand(program)) {
      // Only completion scripts call it.
      if (words === 'completion suggest') continue;
      for (const { flags, hidden } of command.options) if (!hidden) expect(text).toContain(roff(flags));
    }
  });

  // Debian's man-db and groff; other machines may have none.
  test.skipIf(!existsSync('/usr/bin/groff'))('is free of mistakes, says groff', () => {
    const input = pages.map(({ text }) => text).join('');
    const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toContain('BACKOFFICE');
  });

  test('is installed by `npm link`, beside the command', async () => {
    const prefix = await temporaryFolder();
    const { PATH, HOME } = process.env;
    const offline = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };
    const { status, stderr } = spawnSync('npm', ['link'], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { PATH, HOME, npm_config_prefix: prefix, ...offline },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    const installed = await readFile(join(prefix, 'share/man/man1/backoffice-issues.1'), 'utf8');
    expect(installed).toBe(pages.find(({ name }) => name === 'backoffice-issues')?.text);
    expect(existsSync(join(prefix, 'bin/backoffice'))).toBe(true);
  });

  test('is printed by `help --man`', async () => {
    const page = (name: string) => pages.find((each) => each.name === name)?.text;
    expect((await backoffice(['help', '--man'])).stdout).toBe(page('backoffice'));
    expect((await backoffice(['help', '--man', 'issue'])).stdout).toBe(page('backoffice-issues'));
  });
});
