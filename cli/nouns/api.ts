import type { AnsweredId, InputOf } from '../../src/contract/registry.ts';
import { UsageError } from '../errors.ts';
import { emit, emitChange } from '../output/emit.ts';
import { isForPeople } from '../output/formats.ts';
import { print, printPiece } from '../terminal/terminal.ts';
import { argument, longText, type Parameter, text } from '../verb/parameters.ts';
import { verb } from '../verb/verb.ts';

const fields: Parameter<readonly string[]> = {
  place: 'words',
  about: 'fields of the input: status=Open for a text, id:=42 for JSON',
  term: 'field=value',
};

/** Calls any operation of the API and prints its answer. */
export const api = verb({
  about: 'call an operation of the API and print its JSON',
  params: {
    operation: argument(text('the id of the operation: issues.list', 'operation', 'operations')),
    fields,
    input: longText('the whole input as JSON'),
  },
  notes: 'docs/api.md lists the operations and their fields. Nothing asks for confirmation.',
  examples: [
    'backoffice api issues.list status=Open limit=5 --jq ".issues[].title"',
    'backoffice api issues.update ids:=[41,42] set:=\'{"status":"Closed"}\'',
    'backoffice api settings.update --input - < settings.json',
  ],
  async run({ given: { operation, fields: words, input: whole }, format, access }) {
    const { id, changes } = await knownOperation(operation);
    const input = { ...parseObject(whole ?? '{}'), ...Object.fromEntries(words.map(parseField)) };
    if (isForPeople(format)) {
      await access.stream(id, input as InputOf<typeof id>, printPiece);
      return print('');
    }
    const document = await access.call(id, input as InputOf<typeof id>);
    if (changes === undefined) await emit(document, format, undefined, () => {});
    else await emitChange(document, format, () => {});
  },
});

/** @throws UsageError for an id of no operation */
async function knownOperation(id: string) {
  // Imported on demand, because it would slow down `--help`.
  const { operations } = await import('../../src/contract/registry.ts');
  const { didYouMean } = await import('../../src/contract/did-you-mean.ts');
  const found = operations.find((each) => each.id === id);
  const ids = operations.map((each) => each.id);
  if (found === undefined)
    throw new UsageError(`No operation ${id}.${didYouMean(id, ids)} docs/api.md has all.`);
  if (found.id === 'events.follow') throw new UsageError('Follow events with `backoffice events tail`.');
  if (found.id === 'messages.attachment' || found.id === 'messages.source')
    throw new UsageError(`${id} answers a file, which is no JSON. Download it in the web dashboard.`);
  return { id: found.id satisfies AnsweredId, changes: found.changes };
}

function parseField(word: string): readonly [name: string, value: unknown] {
  const [, name, kind, value = ''] = /^([^:=]+)(:?=)(.*)$/s.exec(word) ?? [];
  if (name === undefined) throw new UsageError(`${word} is no field. Write name=text, or name:=JSON.`);
  return [name, kind === '=' ? value : parseJson(name, value)];
}

function parseObject(text: string): object {
  const input = parseJson('--input', text);
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  throw new UsageError('--input is not a JSON object.');
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${name} is not valid JSON.`);
  }
}
