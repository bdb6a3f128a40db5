import { Command } from 'commander';
import { addCommentCommand } from './add.ts';
import { deleteCommentCommand } from './delete.ts';
import { editCommentCommand } from './edit.ts';
import { listCommentsCommand } from './list.ts';

/** `backoffice comments`: internal notes of the team. */
export function commentsCommand(): Command {
  const command = new Command('comments');
  const verbs = [listCommentsCommand(), addCommentCommand(), editCommentCommand(), deleteCommentCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
