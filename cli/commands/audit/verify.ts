import { Command, InvalidArgumentError } from 'commander';
import type { ChainLink } from '../../../src/db/tables/audit-chain.ts';
import type { AuditVerification } from '../../../src/services/audit/verify-audit.ts';
import { withServices } from '../../access/database.ts';
import { FailedError, StoppedError } from '../../errors.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import { stopSignal } from '../../stop-signal.ts';
import { print } from '../../terminal.ts';

interface VerifyOptions extends Format {
  readonly expect?: ChainLink;
}

/** `backoffice audit verify`. */
export function verifyAuditRecordsCommand(): Command {
  const command = new Command('verify')
    .description(
      'prove that no audit record was changed, deleted or added since it was written; exit code 1 if one was',
    )
    .option('--expect <id:hash>', 'also prove that the trail continues this end of an earlier run', chainLink)
    .addHelpText(
      'after',
      `
Each record is chained to the one before it. The last line of the output is the end of the chain. Keep it where those who
can write to the database cannot: with --expect, it also shows that the whole chain was replaced.

Example:
  backoffice audit verify --expect 4711:0f343b0931126a20f133d67c2b018a3b8f2a1c6b5d1b7c1f8e7f2d7b0f8a4c11`,
    );
  return withFormats(command).action(async ({ expect: expected, ...format }: VerifyOptions) => {
    const { verifyAudit } = await import('../../../src/services/audit/verify-audit.ts');
    await withServices(command, async ({ databases, publisher }) => {
      // Else the records of the last changes are not there yet.
      await publisher.catchUp();
      const progress = createProgress();
      const stop = stopSignal();
      const found = await verifyAudit(databases.primary, {
        expected,
        stop,
        onProgress: (done) => progress.show({ what: 'audit records', done }),
      }).finally(progress.end);
      if (stop.aborted) throw new StoppedError('Stopped before the end of the audit trail.', stop);
      await emit(found, format, undefined, () => printVerification(found));
      if (found.problem !== null) throw new FailedError(found.problem.message);
    });
  });
}

function printVerification({ valid, verified, after, unproven, last }: AuditVerification): void {
  const intact = counted(verified, 'audit record is', 'audit records are');
  print(valid ? `${intact} intact.` : `${intact} intact, up to record ${last.id}.`);
  if (unproven > 0) {
    const older = counted(unproven, 'record', 'records');
    print(`${older} up to record ${after} cannot be verified: the chain starts after them.`);
  }
  if (valid) print(`End of the chain: ${last.id}:${last.chain}`);
}

function chainLink(text: string): ChainLink {
  const [, id, chain] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (id === undefined || chain === undefined) {
    throw new InvalidArgumentError(
      'Must be the end of a chain as `backoffice audit verify` prints it: 4711:0f34….',
    );
  }
  return { id: Number(id), chain: chain.toLowerCase() };
}
