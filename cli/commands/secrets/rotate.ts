import { Command } from 'commander';
import { withServices } from '../../access/database.ts';
import { FailedError, StoppedError } from '../../errors.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { createProgress } from '../../output/progress.ts';
import { stopSignal } from '../../stop-signal.ts';
import { print } from '../../terminal.ts';

/** `backoffice secrets rotate`. */
export function rotateSecretsCommand(): Command {
  const command = new Command('rotate')
    .description('encrypt all stored secrets with the newest key of BACKOFFICE_ENCRYPTION_KEY')
    .addHelpText(
      'after',
      `
Put the new key in front of the old one on every server, then rotate, then remove the old key.
\`backoffice doctor\` shows how many secrets each key holds. Ctrl-C stops after the current batch.

Example:
  export BACKOFFICE_ENCRYPTION_KEY=new,old
  backoffice secrets rotate`,
    );
  return withFormats(command).action(async (format: Format) => {
    const { rotateSecrets } = await import('../../../src/services/secrets/reseal.ts');
    const { operatorName } = await import('../../access/local.ts');
    const { localOperator } = await import('../../../src/services/call/actor.ts');
    const stop = stopSignal();
    const result = await withServices(command, async (services) => {
      const progress = createProgress();
      return await rotateSecrets(services, localOperator(operatorName()), {
        stop,
        onProgress: (done) => progress.show({ what: 'secrets', done }),
      }).finally(progress.end);
    });
    if (stop.aborted) throw new StoppedError(`Stopped after ${counted(result.rotated, 'secret')}.`, stop);
    await emitChange(result, format, () => print(`Encrypted ${counted(result.rotated, 'secret')} again.`));
    if (result.left > 0) {
      throw new FailedError(
        `${counted(result.left, 'secret is', 'secrets are')} not encrypted with the newest key. Run \`backoffice doctor\` to see why.`,
      );
    }
  });
}
