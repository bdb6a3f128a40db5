import type { Plugin } from 'vite';
import type { Field, Noun } from '../../src/contract/fields/field.ts';

/** What the pages read of a field. The rest is for the service: bounds, errors, examples, events. */
const readTraits: readonly (keyof Field)[] = ['sort'];

/** Writes the catalogue into the browser as plain data, without what no page reads: it is in the first view of most pages. */
export function leanNouns(): Plugin {
  return {
    name: 'lean-nouns',
    async load(id) {
      if (!/\/src\/contract\/fields\/(?!field\.ts)[a-z-]+\.ts$/.test(id)) return undefined;
      const exported = Object.entries((await import(id)) as Readonly<Record<string, object>>);
      return exported
        .map(
          ([name, value]) =>
            `export const ${name} = ${JSON.stringify(isNoun(value) ? leanOf(value) : value)};`,
        )
        .join('\n');
    },
  };
}

const isNoun = (value: object): value is Noun => 'fields' in value;

function leanOf({ lead, fields }: Noun): object {
  const lean = Object.entries(fields).map(([name, field]) => [
    name,
    Object.fromEntries(readTraits.map((trait) => [trait, field[trait]])),
  ]);
  return { lead, fields: Object.fromEntries(lean) };
}
