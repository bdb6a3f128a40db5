import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** The paths from the checkout's root that a page names in backticks. */
function pathsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const paths = text.matchAll(/`((?:bin|src|cli|migrations|test|bench|docs|deploy)\/[\w./-]*)`/g);
  return [...paths].map(([, path]) => path ?? '');
}

test.for(pages)('%s names only files and folders that exist', (page) => {
  expect(pathsIn(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the pages name files', () => {
  expect(pathsIn('docs/layout.md').length).toBeGreaterThan(40);
});
