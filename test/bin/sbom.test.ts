import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../bin/launcher/paths.js';

/** Licences that ask for no more than their text. */
const permissive = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string }[];
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

let components: readonly Component[] = [];

beforeAll(async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  ({ components } = JSON.parse(stdout) as { components: readonly Component[] });
});

test('the bill of materials names every package that the service runs on', () => {
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['express', 'pg', 'slonik', 'zod', 'ink']));
  expect(names).not.toContain('vitest');
  for (const { purl, hashes = [] } of components) {
    expect(purl).toMatch(/^pkg:npm\/.+@/);
    expect(hashes.map(({ alg }) => alg)).toEqual(['SHA-512']);
  }
});

test('every such package has a permissive licence', () => {
  const others = components.filter(({ licenses = [] }) => {
    const ids = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? '');
    return ids.length === 0 || !ids.every((id) => permissive.has(id));
  });
  expect(others.map(({ name, licenses }) => [name, licenses])).toEqual([]);
});
