// Writes the generated pages: docs/cli.md, docs/errors.md, and the generated parts of README.md and docs/operations.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from '../cli/reference/pages.ts';
import { root } from './prepare/paths.js';

for (const [path, render] of Object.entries(generatedPages)) {
  const file = join(root, path);
  writeFileSync(file, await render(existsSync(file) ? readFileSync(file, 'utf8') : ''));
}
