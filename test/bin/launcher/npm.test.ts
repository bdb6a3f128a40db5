import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { installPackages } from '../../../bin/launcher/npm.js';
import { root } from '../../../bin/launcher/paths.js';
import { run } from '../../../bin/launcher/run.js';
import { listenOnLoopback } from '../../support/receivers/listen.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

beforeEach(async () => {
  vi.stubEnv('npm_config_cache', await temporaryFolder());
});

afterEach(() => vi.unstubAllEnvs());

/** Makes npm use a registry at that port. */
const useRegistry = (port: number) => vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`);

/** Returns a folder with a package.json and a package-lock.json that name a package, which wants a Node that nobody has. */
async function folderThatNeeds({ name, version, integrity }: Packed): Promise<string> {
  const folder = await temporaryFolder();
  const itself = { name: 'needs', version: '1.0.0', dependencies: { [name]: version } };
  const packages = {
    '': itself,
    [`node_modules/${name}`]: { version, integrity, engines: { node: '>=99' } },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...itself, type: 'module' }));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...itself, lockfileVersion: 3, packages }),
  );
  return folder;
}

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

const nothing: Packed = { name: 'nothing', version: '1.0.0', integrity: 'sha512-AAAA' };

/** Starts a registry that has one package, and knows no ping. */
async function startRegistry() {
  const folder = await temporaryFolder();
  const itself = { name: 'small', version: '1.0.0' };
  await mkdir(join(folder, 'package'));
  await writeFile(join(folder, 'package', 'package.json'), JSON.stringify(itself));
  await run('tar', ['-czf', 'small.tgz', 'package'], { cwd: folder });
  const tarball = await readFile(join(folder, 'small.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const packed: Packed = { ...itself, integrity };
  const server = createServer((req, res) => {
    if (req.url === '/small.tgz') return res.end(tarball);
    if (req.url !== '/small') return res.writeHead(404).end();
    const dist = { tarball: `http://${req.headers.host}/small.tgz`, integrity };
    return res.end(JSON.stringify({ ...packed, versions: { '1.0.0': { ...packed, dist } } }));
  });
  const port = await listenOnLoopback(server);
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { packed, port, stop };
}

test.each(['refuses connections', 'never answers'])(
  'says soon that it cannot reach a registry that %s',
  async (how) => {
    const server = createServer(() => {});
    useRegistry(await listenOnLoopback(server));
    if (how === 'refuses connections') server.close();
    else onTestFinished(() => void server.close());
    const folder = await folderThatNeeds(nothing);
    await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    const start = performance.now();
    const { code, output } = await run(process.execPath, ['bin/prepare.js'], { quiet: true, cwd: folder });
    expect(code).toBe(1);
    expect(output.split('\n').at(-1)).toBe('Cannot reach the npm registry.');
    expect(output).not.toContain('EBADENGINE');
    // It takes 4 s and 9 s. By itself, npm tries again for more than a minute.
    expect(performance.now() - start).toBeLessThan(40_000);
  },
);

test('installs from a registry that answers the ping with an error, and later from the cache', async () => {
  const { packed, port, stop } = await startRegistry();
  onTestFinished(stop);
  useRegistry(port);
  const folder = await folderThatNeeds(packed);
  const installed = () => readFile(join(folder, 'node_modules', 'small', 'package.json'), 'utf8');
  await installPackages([], folder);
  expect(await installed()).toContain('small');
  await stop();
  await rm(join(folder, 'node_modules'), { recursive: true });
  const start = performance.now();
  await installPackages([], folder);
  expect(await installed()).toContain('small');
  // By itself, npm asks again for more than a minute before it takes what it has.
  expect(performance.now() - start).toBeLessThan(40_000);
});
