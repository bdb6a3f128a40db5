import { withServices } from '../access/database.ts';
import { FailedError, StoppedError } from '../errors.ts';
import { emitChange } from '../output/emit.ts';
import { createProgress } from '../output/progress.ts';
import { print, stopSignal } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import { type Noun, verb } from '../verb/verb.ts';

/** The secrets that the service stores encrypted. */
export const secrets: Noun = {
  example: 'backoffice secrets rotate',
  verbs: {
    rotate: verb({
      about: 'encrypt all stored secrets with the newest key of BACKOFFICE_ENCRYPTION_KEY',
      fields: () => ['rotated', 'left'],
      notes: [
        'Put the new key in front of the old one on every server, then rotate, then remove the old key.\n' +
          '`backoffice doctor` shows how many secrets each key holds. Ctrl-C stops after the current batch.',
      ],
      examples: ['export BACKOFFICE_ENCRYPTION_KEY=new,old', 'backoffice secrets rotate'],
      async run({ format, command }) {
        const { rotateSecrets } = await import('../../src/services/secrets/reseal.ts');
        const { operatorName } = await import('../access/local.ts');
        const { localOperator } = await import('../../src/services/call/actor.ts');
        const stop = stopSignal();
        const result = await withServices(command, async (services) => {
          const progress = createProgress();
          return await rotateSecrets(services, localOperator(operatorName()), {
            stop,
            onProgress: (done) => progress.show({ what: 'secrets', done }),
          }).finally(progress.end);
        });
        if (stop.aborted) throw new StoppedError(`Stopped after ${counted(result.rotated, 'secret')}.`, stop);
        const again = `Encrypted ${counted(result.rotated, 'secret')} again.`;
        await emitChange(result, format, () => print(again));
        if (result.left > 0) {
          const left = counted(result.left, 'secret is', 'secrets are');
          throw new FailedError(
            `${left} not encrypted with the newest key. Run \`backoffice doctor\` to see why.`,
          );
        }
      },
    }),
  },
};
