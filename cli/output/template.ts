import { UsageError } from '../errors.ts';
import { cellsOf, cut, fit } from './cells.ts';
import { valueText } from './rows/list-of.ts';
import { ago, dateAndTime } from './time.ts';

/** Changes a value on its way into the text. It gets texts, because a template makes a text. */
type Helper = (text: string, ...args: readonly string[]) => string;

const isTime = (text: string) => !Number.isNaN(Date.parse(text));

/** The helpers, each with the arguments that it takes. */
const helpers: Readonly<Record<string, { readonly takes?: 'number' | 'text'; readonly run: Helper }>> = {
  truncate: { takes: 'number', run: (text, cells) => cut(text, Number(cells)) },
  pad: { takes: 'number', run: (text, cells) => fitOrLonger(text, Number(cells), 'left') },
  padleft: { takes: 'number', run: (text, cells) => fitOrLonger(text, Number(cells), 'right') },
  ago: { run: (text) => (isTime(text) ? ago(text) : text) },
  date: { run: (text) => (isTime(text) ? dateAndTime(new Date(text).toISOString()) : text) },
  upper: { run: (text) => text.toUpperCase() },
  lower: { run: (text) => text.toLowerCase() },
  line: { run: (text) => text.replaceAll(/\s+/g, ' ').trim() },
  default: { takes: 'text', run: (text, other = '') => (text === '' ? other : text) },
};

function fitOrLonger(text: string, cells: number, align: 'left' | 'right'): string {
  return cellsOf(text) >= cells ? text : fit(text, cells, align);
}

/**
 * Compiles a template such as `{{id}}  {{title | truncate 30}}`, which makes a line of each row.
 *
 * @param fields - the fields that a row may have
 * @throws UsageError for what is no template
 */
export function compileTemplate(template: string, fields: readonly string[]): (row: object) => string {
  if (template === '') throw new UsageError('The template is empty. Use fields in it, such as {{id}}.');
  const parts = [...template.matchAll(/\{\{(?<code>.*?)\}\}|(?<text>(?:(?!\{\{)[\s\S])+|\{\{)/g)].map(
    ({ groups }) => (groups?.code === undefined ? asText(groups?.text ?? '') : compile(groups.code, fields)),
  );
  const end = template.endsWith('\\n') || template.endsWith('\n') ? '' : '\n';
  return (row) => parts.map((part) => (typeof part === 'string' ? part : part(row))).join('') + end;
}

function asText(text: string): string {
  if (text.startsWith('{{')) throw new UsageError('The template has {{ without }}.');
  return text.replaceAll(
    /\\([nt\\])/g,
    (_all, letter: string) => ({ n: '\n', t: '\t' })[letter as 'n' | 't'] ?? '\\',
  );
}

function compile(code: string, fields: readonly string[]): (row: object) => string {
  const [path = '', ...calls] = splitCalls(code);
  const names = path.replace(/^\./, '').split('.');
  const [first = ''] = names;
  if (!fields.includes(first)) {
    throw new UsageError(
      `Unknown field in the template: ${first === '' ? '{{}}' : first}. Available: ${fields.join(', ')}.`,
    );
  }
  const steps = calls.map(compileHelper);
  return (row) => steps.reduce((text, step) => step(text), valueText(valueAt(row, names)));
}

/** Splits `title | default "a | b"` at each `|` that is not in quotes. */
function splitCalls(code: string): string[] {
  return [...code.matchAll(/(?<call>(?:"(?:\\.|[^"\\])*"|[^|"])*)(?:\||$)/g)]
    .map(({ groups }) => groups?.call?.trim() ?? '')
    .slice(0, -1);
}

function compileHelper(call: string): (text: string) => string {
  const [name = '', ...args] = call.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? [];
  const helper = Object.hasOwn(helpers, name) ? helpers[name] : undefined;
  if (helper === undefined) {
    throw new UsageError(
      `Unknown helper in the template: ${name}. Available: ${Object.keys(helpers).join(', ')}.`,
    );
  }
  const values = args.map((arg) => (arg.startsWith('"') ? unquoted(arg) : arg));
  const isRight = helper.takes === undefined ? values.length === 0 : values.length === 1;
  if (!isRight || (helper.takes === 'number' && !/^\d{1,4}$/.test(values[0] ?? ''))) {
    const takes = { number: 'one number', text: 'one text' }[helper.takes ?? 'number'];
    throw new UsageError(
      `The helper ${name} of the template takes ${helper.takes === undefined ? 'nothing' : takes}.`,
    );
  }
  return (text) => helper.run(text, ...values);
}

const unquoted = (quoted: string) => quoted.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');

function valueAt(row: object, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    row,
  );
}
