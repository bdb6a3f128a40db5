import { Command } from 'commander';
import { namedTarget } from '../access/named-target.ts';
import { FailedError } from '../errors.ts';
import { paint } from '../output/colours.ts';
import { emit, type Format } from '../output/emit.ts';
import { withListFormats } from '../output/formats.ts';
import { printable } from '../output/text.ts';
import { print } from '../terminal.ts';

const fields = ['check', 'state', 'detail', 'mend'];
const list = { name: 'checks', id: 'check', fields: () => fields };

/** `backoffice doctor`: checks the setup. */
export function doctorCommand(): Command {
  const command = new Command('doctor');
  return withListFormats(command, list).action(async (format: Format) => {
    const { examine } = await import('../doctor/examine.ts');
    const findings = await examine(namedTarget(command));
    await emit(
      // Each with all fields, because CSV has those of the first.
      { checks: findings.map(({ check, state, detail, mend }) => ({ check, state, detail, mend })) },
      format,
      list,
      () => {
        const width = Math.max(...findings.map(({ check }) => check.length));
        for (const { check, state, detail, mend: advice } of findings) {
          const sign =
            state === 'ok'
              ? paint('green')('ok  ')
              : state === 'warning'
                ? paint('yellow')('warn')
                : paint('red')('FAIL');
          print(`${sign}  ${check.padEnd(width)}  ${printable(detail)}`);
          if (advice !== undefined) print(`      ${' '.repeat(width)}  ${advice}`);
        }
      },
    );
    const failed = findings.filter(({ state }) => state === 'failed').length;
    if (failed > 0) throw new FailedError(`${failed} of ${findings.length} checks failed.`);
  });
}
