import { Command } from 'commander';
import { listAuditRecordsCommand } from './list.ts';
import { purgeAuditRecordsCommand } from './purge.ts';
import { tailAuditRecordsCommand } from './tail.ts';

/** `backoffice audit`: the audit records. */
export function auditCommand(): Command {
  const command = new Command('audit');
  const verbs = [listAuditRecordsCommand(), tailAuditRecordsCommand(), purgeAuditRecordsCommand()];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
