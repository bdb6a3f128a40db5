import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hasPackages } from '../../bin/prepare/install.js';
import { withLock } from '../../bin/prepare/lock.js';
import { root } from '../../bin/prepare/paths.js';
import { run } from '../../bin/prepare/run.js';
import { listenOnLoopback } from '../support/receivers/listen.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a build is stale once a source of the program or of the dashboard is changed, added or removed', async () => {
  const root = await temporaryFolder();
  cpSync('bin', join(root, 'bin'), { recursive: true });
  cpSync('package.json', join(root, 'package.json'));
  const path = (file: string) => join(root, file);
  for (const folder of ['src/contract', 'cli', 'web/src', 'dist'])
    mkdirSync(path(folder), { recursive: true });
  for (const file of ['src/a.ts', 'src/contract/b.ts', 'cli/c.ts', 'web/src/d.tsx'])
    writeFileSync(path(file), '');
  const { isBuilt, fingerprint, parts, writeVersion } = await import(
    pathToFileURL(path('bin/prepare/build.js')).href
  );
  const { builtMain, versionFile } = await import(pathToFileURL(path('bin/prepare/paths.js')).href);
  function finish(): void {
    mkdirSync(join(builtMain, '..'), { recursive: true });
    writeFileSync(builtMain, '');
    for (const part of parts) writeFileSync(part.stampFile, fingerprint(part));
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

describe('the version', () => {
  afterEach(() => vi.unstubAllEnvs());

  /** Makes a checkout without a repository. Returns functions to write and to read its version. */
  async function makeCheckout(root: string) {
    mkdirSync(join(root, 'dist'), { recursive: true });
    cpSync('bin', join(root, 'bin'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"version":"1.2.3","type":"module"}');
    writeFileSync(join(root, '.gitignore'), 'dist\n');
    const { isVersionWritten, writeVersion } = await import(
      pathToFileURL(join(root, 'bin', 'prepare', 'build.js')).href
    );
    function written(): unknown {
      writeVersion();
      return JSON.parse(readFileSync(join(root, 'dist', 'version.json'), 'utf8'));
    }
    return { isVersionWritten, written };
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
    const { isVersionWritten, written } = await makeCheckout(root);
    expect(isVersionWritten()).toBe(false);
    const first = commitAll(root);
    git(root, 'tag', '--annotate', 'v1.2.3', '--message', 'Release');
    // Only of a checkout without a repository.
    vi.stubEnv('BACKOFFICE_COMMIT', 'another');
    expect(written()).toEqual({ version: '1.2.3', commit: first });
    expect(isVersionWritten()).toBe(true);

    const second = commitAll(root);
    expect(isVersionWritten()).toBe(false);
    writeFileSync(join(root, 'package.json'), '{"version":"1.2.4","type":"module"}');
    expect(written()).toEqual({ version: '1.2.4', commit: `${second}-dirty` });
    // Without git, the commit is unknown.
    vi.stubEnv('BACKOFFICE_COMMIT', '');
    vi.stubEnv('PATH', root);
    expect(written()).toEqual({ version: '1.2.4', commit: null });
  });

  test('an archive has the commit of the environment or none, also within the repository of something else', async () => {
    const outer = await temporaryFolder();
    git(outer, 'init', '--quiet');
    const { written } = await makeCheckout(join(outer, 'backoffice'));
    commitAll(outer);
    for (const [given, commit] of [
      ['', null],
      ['0a1b2c', '0a1b2c'],
    ] as const) {
      vi.stubEnv('BACKOFFICE_COMMIT', given);
      expect(written()).toEqual({ version: '1.2.3', commit });
    }
  });
});

describe('npm', () => {
  /** Returns a folder with a package.json and a package-lock.json that name a package, which wants a Node that nobody has. */
  async function folderThatNeedsPackage(): Promise<string> {
    const folder = await temporaryFolder();
    const itself = { name: 'needs', version: '1.0.0', dependencies: { nothing: '1.0.0' } };
    const locked = { version: '1.0.0', integrity: 'sha512-AAAA', engines: { node: '>=99' } };
    const packages = { '': itself, 'node_modules/nothing': locked };
    const write = (file: string, content: object) =>
      writeFileSync(join(folder, file), JSON.stringify(content));
    write('package.json', { ...itself, type: 'module' });
    write('package-lock.json', { ...itself, lockfileVersion: 3, packages });
    return folder;
  }

  test.each(['refuses connections', 'never answers'])(
    'says soon that it cannot reach a registry that %s',
    async (how) => {
      const server = createServer(() => {});
      const port = await listenOnLoopback(server);
      if (how === 'refuses connections') server.close();
      else onTestFinished(() => void server.close());
      const folder = await folderThatNeedsPackage();
      for (const name of ['bin', '.npmrc']) cpSync(join(root, name), join(folder, name), { recursive: true });
      const env = {
        // The checkout's is 15 s, twice.
        npm_config_fetch_timeout: '2000',
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: await temporaryFolder(),
      };
      const start = performance.now();
      const { code, output } = await run(process.execPath, ['bin/prepare.js'], {
        quiet: true,
        cwd: folder,
        env,
      });
      expect(code).toBe(1);
      expect(output).toMatch(
        /(ECONNREFUSED|network timeout)[\s\S]*\n`npm ci` failed in .*\. Fix the errors above and run the command again\.$/,
      );
      expect(output).not.toContain('EBADENGINE');
      // It takes 2 s and 6 s. By itself, npm waits for 30 s before it tries again and again.
      expect(performance.now() - start).toBeLessThan(30_000);
    },
  );
});

describe('the lock of an installation', () => {
  const lockOf = async (...owners: readonly string[]) => {
    const lock = join(await temporaryFolder(), 'lock');
    mkdirSync(lock);
    for (const owner of owners) mkdirSync(join(lock, owner));
    return lock;
  };

  test('is held while the work runs, released when it fails, and taken over from a process that has ended', async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const lock = await lockOf(`${ended}.1`);
    const owners = await withLock(async () => readdirSync(lock), { lock });
    expect(owners.map((owner: string) => Number.parseInt(owner, 10))).toEqual([process.pid]);
    const failing = withLock(() => Promise.reject(new Error('no disk space')), { lock });
    await expect(failing).rejects.toThrow('no disk space');
    expect(readdirSync(dirname(lock))).toEqual([]);
  });

  test('of a running process is not taken over, and its owner is named', async () => {
    const owner = `${process.ppid}.1`;
    const lock = await lockOf(owner);
    const waiting = withLock(async () => 'done', { lock, timeoutMs: 0 });
    const sentence = `Process ${process.ppid} holds ${lock}. Stop it or remove the folder.`;
    await expect(waiting).rejects.toThrow(sentence);
    expect(readdirSync(lock)).toEqual([owner]);
  });

  test('lets one call run at a time, and reports that others wait', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const lock = join(await temporaryFolder(), 'lock');
    let running = 0;
    let maxRunning = 0;
    const work = async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all([1, 2, 3].map(() => withLock(work, { lock })));
    expect(maxRunning).toBe(1);
    expect(log).toHaveBeenCalledWith('Waiting for another command that installs or builds.');
  });
});

describe('the lockfile', () => {
  const pg = { name: 'pg', version: '8.0.0', integrity: 'sha512-a' };
  const binary = { version: '1.0.0', integrity: 'sha512-b', optional: true };
  const ourBinary = `our-binary-${process.platform}-${process.arch}`;
  const ours = { ...binary, name: ourBinary };
  const theirs = { ...binary, name: 'our-binary-plan9-mips' };

  test.for([
    ['matches if every package is installed in its version', pg, { 'node_modules/pg': pg }, true],
    ['does not match if a package is missing', pg, {}, false],
    ['does not match another version', pg, { 'node_modules/pg': { ...pg, version: '8.0.1' } }, false],
    ['does not match another hash', pg, { 'node_modules/pg': { ...pg, integrity: 'sha512-c' } }, false],
    ['does not require the optional package of another platform', theirs, {}, true],
    ['requires the optional package of this platform', ours, {}, false],
  ] as const)('%s', async ([, wanted, installed, expected]) => {
    const folder = await temporaryFolder();
    const packages = {
      '': { optionalDependencies: { [ourBinary]: '1.0.0' } },
      [`node_modules/${wanted.name}`]: wanted,
    };
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    expect(hasPackages(folder)).toBe(false);
    const record = JSON.stringify({ packages: installed });
    writeFileSync(join(folder, 'node_modules', '.package-lock.json'), record);
    expect(hasPackages(folder)).toBe(expected);
  });
});
