import { Command } from 'commander';
import { assignIssuesCommand } from './assign.ts';
import { createIssueCommand } from './create.ts';
import { deleteIssuesCommand } from './delete.ts';
import { editIssueCommand } from './edit.ts';
import { issueHistoryCommand } from './history.ts';
import { linkIssueCommand } from './link.ts';
import { listIssuesCommand } from './list.ts';
import { recountIssuesCommand } from './recount.ts';
import { setIssueStatusCommand } from './set-status.ts';
import { showIssueCommand } from './show.ts';
import { issueStatsCommand } from './stats.ts';
import { issueTrendCommand } from './trend.ts';
import { unlinkIssueCommand } from './unlink.ts';
import { updateIssuesCommand } from './update.ts';

/** `backoffice issues`: the issue tracker. */
export function issuesCommand(): Command {
  const command = new Command('issues');
  const verbs = [
    listIssuesCommand(),
    showIssueCommand(),
    createIssueCommand(),
    editIssueCommand(),
    setIssueStatusCommand(),
    assignIssuesCommand(),
    updateIssuesCommand(),
    deleteIssuesCommand(),
    issueHistoryCommand(),
    linkIssueCommand(),
    unlinkIssueCommand(),
    issueStatsCommand(),
    issueTrendCommand(),
    recountIssuesCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
