import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bundleFolder } from '../../../bin/launcher/paths.js';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the build', () => {
  test('a build is stale once a source of the program or of the dashboard is changed, added or removed', async () => {
    const root = await temporaryFolder();
    cpSync('bin', join(root, 'bin'), { recursive: true });
    cpSync('package.json', join(root, 'package.json'));
    const path = (file: string) => join(root, file);
    for (const folder of ['src/contract', 'cli', 'web/src', 'dist'])
      mkdirSync(path(folder), { recursive: true });
    for (const file of ['src/a.ts', 'src/contract/b.ts', 'cli/c.ts', 'web/src/d.tsx'])
      writeFileSync(path(file), '');
    const { isBuilt, fingerprint, program, dashboard } = await import(
      pathToFileURL(path('bin/launcher/build.js')).href
    );
    const { writeVersion } = await import(pathToFileURL(path('bin/launcher/version.js')).href);
    const { builtMain, versionFile } = await import(pathToFileURL(path('bin/launcher/paths.js')).href);
    function finish(): void {
      mkdirSync(join(builtMain, '..'), { recursive: true });
      writeFileSync(builtMain, '');
      for (const part of [program, dashboard]) writeFileSync(part.stampFile, fingerprint(part));
      writeVersion();
    }

    expect(isBuilt()).toBe(false);
    finish();
    expect(isBuilt()).toBe(true);
    for (const change of [
      () => utimesSync(path('src/a.ts'), 1, 1),
      () => utimesSync(path('web/src/d.tsx'), 1, 1),
      () => writeFileSync(path('web/src/new.tsx'), ''),
      () => rmSync(path('cli/c.ts')),
      () => rmSync(builtMain),
      () => rmSync(versionFile),
    ]) {
      change();
      expect(isBuilt()).toBe(false);
      finish();
      expect(isBuilt()).toBe(true);
    }
  });
});

describe('a bundle', () => {
  /** Returns the files of the bundle that a file of it loads, with itself. */
  async function loadedBy(file: string): Promise<readonly string[]> {
    const code = await readFile(join(bundleFolder, file), 'utf8');
    const imported = [...code.matchAll(/^import .*"\.\/(.+)";$/gm)].map(([, name = '']) => name);
    return [file, ...(await Promise.all(imported.map(loadedBy))).flat()];
  }

  test('a thread for passwords loads only what it needs, because its start takes time of a sign-in', async () => {
    const maps = (await loadedBy('password-worker.js')).map((file) =>
      readFile(join(bundleFolder, `${file}.map`), 'utf8'),
    );
    const sources = (await Promise.all(maps)).flatMap((map) => JSON.parse(map).sources as readonly string[]);
    const names = sources.map((source) => source.replace(/.*\/(?=node_modules|src)/, '')).toSorted();
    expect(names).toEqual([
      'node_modules/bcryptjs/index.js',
      'src/services/sign-in/password-worker.js',
      'src/services/sign-in/stored-hash.js',
    ]);
  });
});

describe('the version', () => {
  afterEach(() => vi.unstubAllEnvs());

  /** Makes a checkout without a repository. Returns its folder, and functions to write and to read its version. */
  async function makeCheckout(root: string) {
    const launcher = join(root, 'bin', 'launcher');
    mkdirSync(join(root, 'dist'), { recursive: true });
    cpSync('bin/launcher', launcher, { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"version":"1.2.3","type":"module"}');
    writeFileSync(join(root, '.gitignore'), 'dist\n');
    const { isVersionWritten, writeVersion } = await import(pathToFileURL(join(launcher, 'version.js')).href);
    const file = join(root, 'dist', 'version.json');
    return { isVersionWritten, writeVersion, read: () => JSON.parse(readFileSync(file, 'utf8')) };
  }

  /** Runs git with a fixed author, and ignores the user's configuration. */
  function git(cwd: string, ...args: string[]): string {
    const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...person, ...args], { cwd, env, encoding: 'utf8' }).trim();
  }

  function commitAll(root: string): string {
    git(root, 'add', '.');
    git(root, 'commit', '--quiet', '--allow-empty', '--message', 'Change');
    return git(root, 'rev-parse', 'HEAD');
  }

  test('a build has the commit of its checkout, and says whether files were changed', async () => {
    const root = await temporaryFolder();
    git(root, 'init', '--quiet');
    const { isVersionWritten, writeVersion, read } = await makeCheckout(root);
    expect(isVersionWritten()).toBe(false);
    const first = commitAll(root);
    git(root, 'tag', '--annotate', 'v1.2.3', '--message', 'Release');
    // Only of a checkout without a repository.
    vi.stubEnv('BACKOFFICE_COMMIT', 'another');
    writeVersion();
    expect(read()).toEqual({ version: '1.2.3', commit: first });
    expect(isVersionWritten()).toBe(true);

    const second = commitAll(root);
    expect(second).not.toBe(first);
    expect(isVersionWritten()).toBe(false);
    writeFileSync(join(root, 'package.json'), '{"version":"1.2.4","type":"module"}');
    writeVersion();
    expect(read()).toEqual({ version: '1.2.4', commit: `${second}-dirty` });
  });

  test('an archive has the commit of the environment or none, also within the repository of something else', async () => {
    const outer = await temporaryFolder();
    git(outer, 'init', '--quiet');
    const { writeVersion, read } = await makeCheckout(join(outer, 'backoffice'));
    commitAll(outer);
    for (const [given, commit] of [
      ['', null],
      ['0a1b2c', '0a1b2c'],
    ] as const) {
      vi.stubEnv('BACKOFFICE_COMMIT', given);
      writeVersion();
      expect(read()).toEqual({ version: '1.2.3', commit });
    }
  });

  test('without git, the commit is unknown', async () => {
    const root = await temporaryFolder();
    git(root, 'init', '--quiet');
    const { writeVersion, read } = await makeCheckout(root);
    commitAll(root);
    vi.stubEnv('PATH', root);
    writeVersion();
    expect(read()).toEqual({ version: '1.2.3', commit: null });
  });

  test('a checkout that is not built says so, whatever the command', async () => {
    const root = await temporaryFolder();
    await makeCheckout(root);
    cpSync('bin/backoffice.js', join(root, 'bin', 'backoffice.js'));
    rmSync(join(root, 'dist'), { recursive: true });
    expect(() =>
      execFileSync(process.execPath, [join(root, 'bin', 'backoffice.js'), '--version'], { stdio: 'pipe' }),
    ).toThrow('Backoffice is not built. Run `npm start` or `npm run build` in');
  });
});
