import { Command } from 'commander';
import { approveDraftCommand } from './approve.ts';
import { editDraftCommand } from './edit.ts';
import { proposeDraftCommand } from './propose.ts';
import { rejectDraftCommand } from './reject.ts';

/** `backoffice conversations draft`: replies that wait for approval. */
export function conversationDraftCommand(): Command {
  const command = new Command('draft').description('propose, edit, approve or reject the draft of a reply');
  const verbs = [proposeDraftCommand(), editDraftCommand(), approveDraftCommand(), rejectDraftCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
