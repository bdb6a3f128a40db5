import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../../cli/program.ts';
import { generatedPages } from '../../../cli/reference/pages.ts';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { everyCommand } from '../../support/run/every-command.ts';
import { backoffice as ownProcess } from '../../support/run/process.ts';
import { backoffice } from '../../support/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('help', async () => {
  const commands = everyCommand(await createProgram()).filter(([, { verb }]) => verb?.isHidden !== true);

  /** Returns what a command prints in this process, and its exit code. */
  async function run(words: string) {
    const printed: string[] = [];
    const program = await createProgram();
    for (const [, command] of everyCommand(program))
      command.configureOutput({ writeOut: (text) => void printed.push(text) });
    const exitCode = await program.parseAsync(words.split(' '), { from: 'user' }).then(
      () => undefined,
      (error) => error.exitCode as number,
    );
    return { printed: printed.join(''), exitCode };
  }

  test('`help issues list` and `issues help list` print the help of that command', async () => {
    for (const words of ['help issues list', 'issues help list']) {
      const { code, stdout } = await backoffice(words.split(' '));
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: backoffice issues list /);
    }
    expect(await backoffice(['help', 'help'])).toEqual(await backoffice(['help']));
  });

  test.each([
    [['help', 'isues'], 'issues'],
    [['help', 'issues', 'lst'], 'list'],
  ])('`%j` suggests the command that was probably meant', async (words, meant) => {
    const { code, stdout, stderr } = await backoffice(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^error: unknown command '\\w+'\n\\(Did you mean ${meant}\\?\\)\n`));
  });

  describe('--help', () => {
    test.each(commands)(
      'of `%s` describes it, its arguments and its options, with an example',
      async (words, command) => {
        expect(command.description()).not.toBe('');
        for (const taken of [...command.registeredArguments, ...command.options])
          expect(taken.description, taken.name()).not.toBe('');
        const { printed, exitCode } = await run(`${words} --help`.trim());
        expect(exitCode).toBe(0);
        expect(printed).toMatch(new RegExp(`^Usage: backoffice ?${words} `));
        expect(printed).toMatch(new RegExp(`^ {2}.*backoffice ${words}`.trimEnd(), 'm'));
      },
    );

    test('opens no connection and touches no file', async () => {
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      const port = await listenOnLoopback(server);
      const folder = await temporaryFolder();
      const env = {
        DATABASE_URL: `postgres://backoffice@127.0.0.1:${port}/backoffice`,
        BACKOFFICE_SERVER: `http://127.0.0.1:${port}`,
        BACKOFFICE_DATA: join(folder, 'data'),
        // Everybody may write there, so somebody could replace what a command keeps.
        TMPDIR: folder,
      };
      for (const words of ['--help', 'issues list --help', 'doctor --help'])
        expect(await ownProcess(words.split(' '), { env })).toMatchObject({ code: 0, stderr: '' });
      server.close();
      expect(connections).toBe(0);
      expect(await readdir(folder)).toEqual([]);
    });

    // Loading takes most of the time of a start, and the libraries of the database and the server take most of that.
    test.each(['--help', 'issues --help', 'usage --help'])(
      '`%s` loads only the libraries of the command line',
      async (words) => {
        const folder = await temporaryFolder();
        const env = { NODE_V8_COVERAGE: folder };
        expect(await ownProcess(words.split(' '), { env })).toMatchObject({ code: 0 });
        const [report = ''] = await readdir(folder);
        // The bundle has the libraries in files of its own; their source maps name what they are made of.
        const { 'source-map-cache': maps } = JSON.parse(await readFile(join(folder, report), 'utf8'));
        const packages = Object.values<{ data: { sources: string[] } }>(maps)
          .flatMap(({ data }) => data.sources)
          .flatMap((source) => /.*\/node_modules\/([^/]+)/.exec(source)?.[1] ?? []);
        expect(packages).toContain('commander');
        for (const heavy of ['zod', 'pg', 'express', 'ink', 'react']) expect(packages).not.toContain(heavy);
      },
    );

    test('the records of every noun and verb import no schemas, no database driver and no dashboard', async () => {
      const table = await readFile('cli/commands.ts', 'utf8');
      const records = [...table.matchAll(/import\('(\.\/[^']+)'\)/g)].map(([, path = '']) =>
        join('cli', path),
      );
      expect(records.length).toBeGreaterThan(20);
      for (const record of records) {
        const loaded = await importsOf(record);
        const heavy = loaded.filter((each) => /^(zod|pg|slonik|express|ink|react)$|^cli\/tui\//.test(each));
        expect(heavy, record).toEqual([]);
      }
    });
  });
});

/** Returns what a file loads when it is imported: the files and packages of its static imports, and of theirs. */
async function importsOf(file: string, found = new Set<string>()): Promise<readonly string[]> {
  if (found.has(file)) return [];
  found.add(file);
  const text = await readFile(file, 'utf8');
  // A type that is imported beside values loads nothing more.
  for (const [, from = ''] of text.matchAll(
    /^(?:import|export)\s+(?!type\b)(?:[^;]*?\sfrom\s+)?'([^']+)'/gm,
  )) {
    if (from.startsWith('.')) await importsOf(join(dirname(file), from), found);
    else found.add(from);
  }
  return [...found];
}

test('`openapi` prints the document of the API', async () => {
  expect(JSON.parse((await backoffice(['openapi'])).stdout)).toHaveProperty('openapi', '3.1.1');
});

test('`version` names the version of package.json and the commit that was built', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const shown = JSON.parse((await backoffice(['version', '--json'])).stdout);
  // Null in a downloaded archive.
  const commit = expect.toBeOneOf([null, expect.stringMatching(/^[0-9a-f]{40}(-dirty)?$/)]);
  expect(shown).toEqual({ version, commit });
  expect(await backoffice(['version'])).toEqual({
    code: 0,
    stdout: `Backoffice ${version} (commit ${shown.commit ?? 'unknown'})\n`,
    stderr: '',
  });
});

test.for(Object.entries(generatedPages))(
  '%s is up to date, and links only to headings that exist',
  async ([path, render]) => {
    const page = await readFile(path, 'utf8');
    expect(page, `${path} is out of date. Run npm run reference.`).toBe(await render(page));
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !anchors.includes(target))).toEqual([]);
  },
);
