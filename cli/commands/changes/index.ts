import { Command } from 'commander';
import { undoChangeCommand } from './undo.ts';

/** `backoffice changes`: what was changed of issues and conversations. */
export function changesCommand(): Command {
  return new Command('changes').addCommand(undoChangeCommand());
}
