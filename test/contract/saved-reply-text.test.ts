import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fillPlaceholders,
  type Placeholder,
  placeholders,
  unknownPlaceholders,
} from '../../src/contract/saved-reply-text.ts';

const values = {
  visitor_name: 'Ada Byron',
  admin_name: 'Grace',
  conversation_id: 'conv_1769851800000_k3x9a2b',
};

test.for([
  '{{order}}',
  '{visitor_name}',
  '{{ visitor_name }}',
  '{{Visitor_name}}',
  '{{visitor_name}',
  '{{}}',
  '{{constructor}}',
])('leaves %s as it is', (text) => {
  expect(fillPlaceholders(text, values)).toBe(text);
});

test('leaves a placeholder without a value as it is', () => {
  expect(fillPlaceholders('{{admin_name}}, {{visitor_name}}', { visitor_name: 'Ada' })).toBe(
    '{{admin_name}}, Ada',
  );
});

/** Texts with many placeholders, parts of them, and what replacement texts could take for something else. */
const piece = fc.oneof(
  fc.constantFrom(...placeholders.map((name) => `{{${name}}}`)),
  fc.constantFrom('{', '{{', '}}', '}', '$&', '$1', '$$', '{{order}}', 'visitor_name', '\\'),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** Says the same by cutting the text at its placeholders. */
function fillByCutting(text: string, given: Readonly<Record<Placeholder, string>>): string {
  const found = placeholders
    .map((name) => ({ name, at: text.indexOf(`{{${name}}}`) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)[0];
  if (found === undefined) return text;
  const rest = text.slice(found.at + found.name.length + 4);
  return text.slice(0, found.at) + given[found.name] + fillByCutting(rest, given);
}

test('never fills in a value, whatever the text and the values are', () => {
  const record = fc.record({ visitor_name: anyText, admin_name: anyText, conversation_id: anyText });
  fc.assert(
    fc.property(anyText, record, (text, given) => {
      expect(fillPlaceholders(text, given)).toBe(fillByCutting(text, given));
    }),
    { numRuns: 1_000 },
  );
});

test('finds what looks like a placeholder and is none', () => {
  const text = '{{vistor_name}} {{admin_name}} {{ visitor_name }} {{vistor_name}} {{}} {x}';
  expect(unknownPlaceholders(text)).toEqual(['{{vistor_name}}', '{{ visitor_name }}']);
});
