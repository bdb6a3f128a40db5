import { describe, expect, test } from 'vitest';
import { type Operation, readsQuery } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/registry.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import {
  documentedAs,
  inputSchemaOf,
  type JsonSchema,
  type OpenApiDocument,
} from '../../support/here/openapi.ts';

const document = createOpenApiDocument('0') as OpenApiDocument;
const withBody = (operations as readonly Operation[]).filter((operation) => !readsQuery(operation));

/** Fields that need no bound of their own, besides that of the body. */
const exceptions: readonly [pattern: RegExp, why: string][] = [
  [/(^|\.)(id|up_to|from|approve|\w+_id)$/, 'An id is compared, not stored: an unknown one succeeds.'],
  [/^expected(\.|$)/, 'Compared, not stored. It must hold any text that is stored already.'],
  [/^ids\[\]$/, 'Likewise.'],
  [/^filter\./, 'Compared, not stored.'],
  [/^username$/, 'Cut to 100 characters.'],
  [/^role$/, 'Any text means a role.'],
  [/^(token|current_password)$/, 'Compared, not stored.'],
  [/^shortcut$/, 'Its pattern bounds it.'],
  [
    /^(challenge|code|user_code|device_code|credential(\.|$).*)$/,
    'Compared, not stored. A long one is just wrong.',
  ],
  [/^(email|password)$/, 'At sign-in, where the body is at most 16 KiB and a long one is just wrong.'],
];

/** A text field of a body. A list has `[]` in the path, and any key `*`. */
interface TextField {
  readonly path: string;
  readonly maxLength: number | undefined;
}

function textFields(schema: JsonSchema, path = ''): TextField[] {
  const { type = [], properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const isText =
    [type].flat().includes('string') && schema.enum === undefined && schema.format !== 'date-time';
  const child = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [
    ...(isText ? [{ path, maxLength: schema.maxLength }] : []),
    ...Object.entries(properties).flatMap(([name, field]) => textFields(field, child(name))),
    ...(items === undefined ? [] : textFields(items, `${path}[]`)),
    ...(typeof additionalProperties === 'object' ? textFields(additionalProperties, child('*')) : []),
    ...[...anyOf, ...oneOf].flatMap((form) => textFields(form, path)),
  ];
}

/** Returns a copy of an example with another text in the field, or undefined if the example has no such place. */
function withText(example: unknown, path: string, text: string): unknown {
  const copy = structuredClone(example);
  const parts = path.replaceAll('[]', '.0').split('.');
  const last = parts.pop() ?? '';
  let place: unknown = copy;
  for (const part of parts) place = (place as Record<string, unknown> | undefined)?.[part];
  if (typeof place !== 'object' || place === null) return undefined;
  (place as Record<string, unknown>)[last] = text;
  return copy;
}

/** Returns the first error of each example of the operation with the text in the field. */
function errorsWith({ input, example, otherExamples = {} }: Operation, path: string, text: string): string[] {
  const examples = [example, ...Object.values(otherExamples)].flatMap((each) => each?.input ?? []);
  return examples
    .map((each) => withText(each, path, text))
    .filter((each) => each !== undefined)
    .map((each) => input.safeParse(each).error?.issues[0]?.message ?? '');
}

describe.for(withBody)('every text of the body of $id', (operation) => {
  const fields = textFields(inputSchemaOf(documentedAs(document, operation.id)));
  const isException = ({ path }: TextField) => exceptions.some(([pattern]) => pattern.test(path));

  test('has a documented bound, or is an exception', () => {
    expect(fields.filter((field) => field.maxLength === undefined && !isException(field))).toEqual([]);
  });

  test('is rejected if it is longer, with a sentence that names the bound, and counts characters', () => {
    for (const { path, maxLength } of fields) {
      // The bounds of a password, and of a setting's key in bytes, are tested with their other rules.
      if (maxLength === undefined || path === 'password' || path === 'key') continue;
      const bound = `at most ${maxLength.toLocaleString('en')} characters.`;
      const name = path.replace(/^.*\./, '').replace('[]', '[0]');
      const tooLong = errorsWith(operation, path, '🐛'.repeat(maxLength + 1));
      expect(tooLong, path).toContainEqual(expect.stringContaining(bound));
      expect(tooLong, path).toContainEqual(expect.stringContaining(name));
      const longest = errorsWith(operation, path, '🐛'.repeat(maxLength));
      expect(
        longest.filter((text) => text.includes(bound)),
        path,
      ).toEqual([]);
    }
  });
});

test('every exception is still needed', () => {
  const paths = withBody.flatMap(({ id }) =>
    textFields(inputSchemaOf(documentedAs(document, id)))
      .filter(({ maxLength }) => maxLength === undefined)
      .map(({ path }) => path),
  );
  for (const [pattern] of exceptions) expect(paths).toContainEqual(expect.stringMatching(pattern));
});
