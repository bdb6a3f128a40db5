import { FailedError } from '../errors.ts';
import { emit, emitRecords } from '../output/emit.ts';
import { type Format, isForPeople } from '../output/formats.ts';
import { print } from '../terminal/terminal.ts';
import { counted } from '../terminal/text.ts';
import type { BackofficeCommand } from '../verb/command.ts';
import { flag, maybe, word } from '../verb/parameters.ts';
import { type Verb, verb } from '../verb/verb.ts';

/** The nouns with data that is kept beside the rows from which it can be computed. */
export const derivedNames = ['issues', 'conversations', 'usage'] as const;

type Name = (typeof derivedNames)[number];

const differences = {
  name: 'differences',
  id: 'of',
  fields: () => [
    'of',
    'kept',
    'counted',
    'actual',
    'counter',
    'key',
    'starts_at',
    'conversation_id',
    'width',
    'provider',
    'model',
    'sum',
  ],
};

const check = flag('only check what is kept; exit code 1 if any is wrong');

/** Recomputes some of the data, or only checks it, and tells the result of each. */
async function recomputeEach(
  which: readonly Name[],
  isCheck: boolean,
  command: BackofficeCommand,
  format: Format,
): Promise<void> {
  // What computes it would slow down `--help`.
  const { derivedData } = await import('./derived-data.ts');
  const { withServices } = await import('../access/database.ts');
  const found: object[] = [];
  const failures: string[] = [];
  await withServices(command, async (services) => {
    for (const name of which) {
      const { one, rebuild, check } = derivedData[name];
      if (!isCheck) await rebuild(services);
      const wrong = await check(services.databases.primary);
      found.push(...wrong.map((each) => ({ of: name, ...each })));
      if (wrong.length > 0) {
        const are = `${counted(wrong.length, `${one} is`, `${one}s are`)} wrong`;
        failures.push(
          isCheck
            ? `${are}. Run \`backoffice recompute ${name}\` to fix this.`
            : `${are} after the recomputation. Something changes rows without running their triggers.`,
        );
        if (isForPeople(format)) await emitRecords(wrong);
      } else if (isForPeople(format))
        print(isCheck ? `All ${one}s are correct.` : `Recomputed all ${one}s. All are correct.`);
    }
  });
  await emit({ differences: found }, format, differences, () => {});
  if (failures.length > 0) throw new FailedError(failures.join('\n'));
}

/** Recomputes what is kept beside its rows: the counts of issues, previews of conversations, and sums of usage. */
export const recompute = verb({
  params: { what: maybe(word('only those of this noun', derivedNames)), check },
  fields: differences.fields,
  notes: 'Exit code 1 if any is wrong. The charts, lists and costs read them.',
  examples: ['backoffice recompute --check', 'backoffice recompute issues'],
  async run({ given: { what, check }, command, format }) {
    await recomputeEach(what === undefined ? derivedNames : [what], check === true, command, format);
  },
});

/** Returns the verb that recomputed the data of one noun before `backoffice recompute`, for scripts. */
export const recomputeOf = (name: Name): Verb =>
  verb({
    about: `the same as \`backoffice recompute ${name}\``,
    isHidden: true,
    params: { check },
    fields: differences.fields,
    examples: [`backoffice recompute ${name} --check`],
    async run({ given: { check }, command, format }) {
      await recomputeEach([name], check === true, command, format);
    },
  });
