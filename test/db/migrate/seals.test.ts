import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../../../src/db/migrate/files.ts';
import { checkSeals, createMigration, sealMigrations } from '../../../src/db/migrate/index.ts';
import { temporaryFolder } from '../../support/folder.ts';

test('every migration is as it was sealed', async () => {
  const broken = (await checkSeals()).filter(({ state }) => state !== 'sealed');
  expect(
    broken,
    'A migration never changes once it has landed: restore it and write a new one. Seal a new one with `node bin/seal-migrations.js`.',
  ).toEqual([]);
});

test('an edited migration is found, and can not be sealed again; a new one can', async () => {
  const folder = await temporaryFolder();
  await cp(migrationsFolder(), folder, { recursive: true });
  await createMigration('extra', folder);
  expect(await sealMigrations(folder)).toHaveLength(1);

  await appendFile(join(folder, '0002_issues.sql'), '\nselect 1;\n');
  const broken = (await checkSeals(folder)).filter(({ state }) => state !== 'sealed');
  expect(broken).toEqual([{ name: '0002_issues', state: 'edited' }]);
  await expect(sealMigrations(folder)).rejects.toThrow(/0002_issues \(edited\)/);
});
