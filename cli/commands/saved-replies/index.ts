import { Command } from 'commander';
import { createSavedReplyCommand } from './create.ts';
import { deleteSavedReplyCommand } from './delete.ts';
import { listSavedRepliesCommand } from './list.ts';
import { showSavedReplyCommand } from './show.ts';
import { updateSavedReplyCommand } from './update.ts';

/** `backoffice saved-replies`: texts that the team often sends. */
export function savedRepliesCommand(): Command {
  const command = new Command('saved-replies');
  const verbs = [
    listSavedRepliesCommand(),
    showSavedReplyCommand(),
    createSavedReplyCommand(),
    updateSavedReplyCommand(),
    deleteSavedReplyCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
