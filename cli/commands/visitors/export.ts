import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { printPiece } from '../../terminal.ts';

/** `backoffice visitors export`. */
export function exportVisitorCommand(): Command {
  const command = new Command('export')
    .description('write everything about a visitor to standard output, as JSON')
    .argument('<email>', "the visitor's e-mail address", (email) => email.trim())
    .addHelpText('after', '\nExample:\n  backoffice visitors export ada@example.com > ada.json');
  return runs(command, 'visitors.export').action(async (email: string) => {
    await withAccess(command, (access) => access.stream('visitors.export', { email }, printPiece));
    await printPiece('\n');
  });
}
