import { Command } from 'commander';
import { assignConversationsCommand } from './assign.ts';
import { createConversationCommand } from './create.ts';
import { deleteConversationsCommand } from './delete.ts';
import { conversationDraftCommand } from './draft/index.ts';
import { conversationHistoryCommand } from './history.ts';
import { listConversationsCommand } from './list.ts';
import { readConversationCommand } from './read.ts';
import { receiveMessageCommand } from './receive.ts';
import { recomputeConversationsCommand } from './recompute.ts';
import { replyToConversationCommand } from './reply.ts';
import { resendReplyCommand } from './resend.ts';
import { setConversationStatusCommand } from './set-status.ts';
import { showConversationCommand } from './show.ts';
import { unreadConversationCommand } from './unread.ts';
import { updateConversationsCommand } from './update.ts';

/** `backoffice conversations`: messages from visitors. */
export function conversationsCommand(): Command {
  const command = new Command('conversations');
  const verbs = [
    listConversationsCommand(),
    showConversationCommand(),
    replyToConversationCommand(),
    resendReplyCommand(),
    conversationDraftCommand(),
    readConversationCommand(),
    unreadConversationCommand(),
    setConversationStatusCommand(),
    assignConversationsCommand(),
    updateConversationsCommand(),
    createConversationCommand(),
    receiveMessageCommand(),
    deleteConversationsCommand(),
    conversationHistoryCommand(),
    recomputeConversationsCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
