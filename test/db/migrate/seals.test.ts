import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  checkSeals,
  createMigration,
  migrationsFolder,
  sealMigrations,
} from '../../../src/db/migrate/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('no sealed migration has changed, and every migration is sealed', async () => {
  const broken = (await checkSeals()).filter(({ state }) => state !== 'sealed');
  expect(
    broken,
    'A migration cannot change after it has landed. Restore it and write a new one. Seal a new one with `npm run seal`.',
  ).toEqual([]);
});

test('a new migration can be sealed, and an edited one cannot be sealed again', async () => {
  const folder = await temporaryFolder();
  await cp(migrationsFolder(), folder, { recursive: true });
  await createMigration('extra', folder);
  expect(await sealMigrations(folder)).toHaveLength(1);

  await appendFile(join(folder, '0002_issues.sql'), '\nselect 1;\n');
  const broken = (await checkSeals(folder)).filter(({ state }) => state !== 'sealed');
  expect(broken).toEqual([{ name: '0002_issues', state: 'edited' }]);
  await expect(sealMigrations(folder)).rejects.toThrow(/0002_issues \(edited\)/);
});
