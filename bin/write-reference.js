// Writes docs/cli.md, the reference of the command line, from the commands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProgram } from '../cli/program.ts';
import { renderReference } from '../cli/reference/page.ts';
import { root } from './launcher/paths.js';

writeFileSync(join(root, 'docs', 'cli.md'), renderReference(await createProgram()));
