import { Command, InvalidArgumentError } from 'commander';
import type { OutputOf } from '../../../src/contract/registry.ts';
import type { Access } from '../../access/access.ts';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { FailedError, StoppedError } from '../../errors.ts';
import { emit, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import { stopSignal } from '../../stop-signal.ts';
import { print } from '../../terminal.ts';

type Verification = Omit<OutputOf<'audit.verify'>, 'complete'>;

interface VerifyOptions extends Format {
  readonly expect?: string;
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
  return runs(withFormats(command), 'audit.verify').action(async ({ expect, ...format }: VerifyOptions) => {
    await withAccess(command, async (access) => {
      const stop = stopSignal();
      const found = await verify(access, expect, stop);
      if (stop.aborted) throw new StoppedError('Stopped before the end of the audit trail.', stop);
      await emit(found, format, undefined, () => printVerification(found));
      if (found.problem !== null) throw new FailedError(found.problem.message);
    });
  });
}

/** Verifies the whole trail, part by part. */
async function verify(access: Access, expect: string | undefined, stop: AbortSignal): Promise<Verification> {
  const progress = createProgress();
  try {
    let { complete, ...found } = await access.call('audit.verify', { expect });
    while (!complete && !stop.aborted) {
      progress.show({ what: 'audit records', done: found.verified });
      const from = linkText(found.last);
      const part = await access.call('audit.verify', { from, expect });
      const { valid, last, problem } = part;
      found = { ...found, valid, last, problem, verified: found.verified + part.verified };
      complete = part.complete;
    }
    return found;
  } finally {
    progress.end();
  }
}

const linkText = ({ id, chain }: Verification['last']) => `${id}:${chain}`;

function printVerification({ valid, verified, after, unproven, last }: Verification): void {
  const intact = counted(verified, 'audit record is', 'audit records are');
  print(valid ? `${intact} intact.` : `${intact} intact, up to record ${last.id}.`);
  if (unproven > 0) {
    const older = counted(unproven, 'record', 'records');
    print(`${older} up to record ${after} cannot be verified: the chain starts after them.`);
  }
  if (valid) print(`End of the chain: ${linkText(last)}`);
}

function chainLink(text: string): string {
  if (!/^\d{1,15}:[0-9a-f]{64}$/i.test(text)) {
    throw new InvalidArgumentError(
      'Must be the end of a chain as `backoffice audit verify` prints it: 4711:0f34….',
    );
  }
  return text;
}
