import { FailedError } from '../errors.ts';
import { emit } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { printable } from '../terminal/text.ts';
import { paint } from '../terminal/tones.ts';
import { verb } from '../verb/verb.ts';
import type { Finding } from './finding.ts';

const list = { name: 'checks', id: 'check', fields: () => ['check', 'state', 'detail', 'fix'] };

const signs: Readonly<Record<Finding['state'], () => string>> = {
  ok: () => paint('green')('ok  '),
  warning: () => paint('yellow')('warn'),
  failed: () => paint('red')('FAIL'),
};

/** Checks the setup, and says how to fix what is wrong. */
export const doctor = verb({
  output: 'rows',
  fields: list.fields,
  examples: ['backoffice doctor --json'],
  async run({ format, command }) {
    const { examine } = await import('./examine.ts');
    const findings = await examine(command);
    // Each with all fields, because CSV has those of the first.
    const checks = findings.map(({ check, state, detail, fix }) => ({ check, state, detail, fix }));
    await emit({ checks }, format, list, () => {
      const width = Math.max(...checks.map(({ check }) => check.length));
      for (const { check, state, detail, fix } of checks) {
        print(`${signs[state]()}  ${check.padEnd(width)}  ${printable(detail)}`);
        if (fix !== undefined) print(`      ${' '.repeat(width)}  ${fix}`);
      }
    });
    const failed = checks.filter(({ state }) => state === 'failed').length;
    if (failed > 0) throw new FailedError(`${failed} of ${checks.length} checks failed.`);
  },
});
