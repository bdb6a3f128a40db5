import { Command } from 'commander';
import { namedTarget } from '../contexts/named-target.ts';
import { FailedError } from '../errors.ts';
import { paint } from '../output/colours.ts';
import { emit, type Format, withFormats } from '../output/emit.ts';
import { printable } from '../output/text.ts';
import { print } from '../terminal.ts';

/** `backoffice doctor`: checks the setup. */
export function doctorCommand(): Command {
  const command = new Command('doctor');
  return withFormats(command).action(async (format: Format) => {
    const { examine } = await import('../doctor/examine.ts');
    const findings = await examine(namedTarget(command));
    await emit(
      { checks: findings },
      format,
      { name: 'checks', id: 'check', fields: () => ['check', 'state', 'detail', 'mend'] },
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
