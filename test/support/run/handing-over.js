import { fileURLToPath } from 'node:url';
import { handOver } from '../../../bin/launcher/hand-over.js';

// A launcher on a Node that is too old: it hands over to another Node, which runs `backoffice`.

const executable = fileURLToPath(new URL('../../../bin/backoffice.js', import.meta.url));
handOver(process.execPath, [executable, ...process.argv.slice(2)], { drawsScreen: true });
