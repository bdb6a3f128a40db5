import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
