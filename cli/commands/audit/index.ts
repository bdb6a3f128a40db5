import { Command } from 'commander';
import { listAuditRecordsCommand } from './list.ts';
import { purgeAuditRecordsCommand } from './purge.ts';
import { tailAuditRecordsCommand } from './tail.ts';
import { verifyAuditRecordsCommand } from './verify.ts';

/** `backoffice audit`: the audit records. */
export function auditCommand(): Command {
  const command = new Command('audit');
  const verbs = [
    listAuditRecordsCommand(),
    tailAuditRecordsCommand(),
    verifyAuditRecordsCommand(),
    purgeAuditRecordsCommand(),
  ];
  for (const verb of verbs) command.addCommand(verb);
  return command;
}
