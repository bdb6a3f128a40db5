import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { matchesLockfile } from '../../../bin/launcher/lockfile.js';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const required = ['our-binary'];
const pg = { version: '8.0.0', integrity: 'sha512-a' };
const binary = { version: '1.0.0', integrity: 'sha512-b', optional: true };

async function matches(wanted: object, installed: object): Promise<boolean> {
  const folder = await temporaryFolder();
  const [lockfile, record] = [join(folder, 'lock.json'), join(folder, 'record.json')];
  writeFileSync(lockfile, JSON.stringify({ packages: { '': { name: 'root' }, ...wanted } }));
  writeFileSync(record, JSON.stringify({ packages: installed }));
  return matchesLockfile(lockfile, record, required);
}

test('matches if every package is installed in its version', async () => {
  expect(await matches({ 'node_modules/pg': pg }, { 'node_modules/pg': pg })).toBe(true);
});

test.each([
  ['is missing', {}],
  ['has another version', { 'node_modules/pg': { ...pg, version: '8.0.1' } }],
  ['has another hash', { 'node_modules/pg': { ...pg, integrity: 'sha512-c' } }],
])('does not match if a package %s', async (_what, installed) => {
  expect(await matches({ 'node_modules/pg': pg }, installed)).toBe(false);
});

test('does not require the optional package of another platform', async () => {
  expect(await matches({ 'node_modules/their-binary': binary }, {})).toBe(true);
});

test('requires the optional package of this platform', async () => {
  expect(await matches({ 'node_modules/our-binary': binary }, {})).toBe(false);
});

test('does not match if nothing is installed', async () => {
  const folder = await temporaryFolder();
  expect(matchesLockfile(join(folder, 'lock.json'), join(folder, 'record.json'), required)).toBe(false);
});
