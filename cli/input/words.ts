import { Option } from 'commander';
import { type Sorts, sortsOf } from '../../src/contract/vocabulary.ts';
import { oneOf, someOf } from './arguments.ts';

/** Options and arguments that take known words, in upper or lower case. Completion offers the words. */

/** Creates the option of a list's order. */
export function sortOption(sorts: Sorts): Option {
  const description = 'order by this field; with - before it or :desc behind it, highest or latest first';
  const choices = sortsOf(sorts);
  const parse = oneOf(choices);
  return new Option('--sort <field>', description).choices(choices).argParser((text) => {
    const [, field = text, direction] = /^([^:]*):(asc|desc)$/i.exec(text) ?? [];
    return parse(direction === undefined ? text : `${direction.toLowerCase() === 'desc' ? '-' : ''}${field}`);
  });
}

/** Creates an option that takes one of the words. */
export function oneWord(flags: string, description: string, words: readonly string[]): Option {
  return new Option(flags, description).choices(words).argParser(oneOf(words));
}

const optionsWithSeveral = new WeakSet<object>();

/** Reports whether an option takes several values with commas between them. */
export function takesSeveral(option: object): boolean {
  return optionsWithSeveral.has(option);
}

function several(option: Option): Option {
  optionsWithSeveral.add(option);
  return option;
}

/** Creates an option that takes one of the words, or several with commas between them. */
export function someWords(flags: string, description: string, words: readonly string[]): Option {
  return several(new Option(flags, description).choices(words).argParser(someOf(words)));
}
