// Writes the manual pages of the built program into `dist/man`, where package.json tells npm to find them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.js';

const { createProgram } = await import(join(root, 'dist', 'cli', 'program.js'));
const { renderManPages } = await import(join(root, 'dist', 'cli', 'reference', 'man-page.js'));
const folder = join(root, 'dist', 'man');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { name, text } of renderManPages(await createProgram())) {
  writeFileSync(join(folder, `${name}.1`), text);
}
