import { expect, test } from 'vitest';
import { formatJson, jsonProblem } from '../../web/src/parts/files/json-text.ts';

/** Texts that are JSON, or almost. */
const pieces = [...'{}[],:1 \n', '"a"', '-0.5e3', '01', '.5', 'true', 'nul', '"\\x"', '"\n"'];

/** Returns a pseudo-random text for each number, always the same. */
function textOf(seed: number): string {
  let state = seed;
  let text = '';
  for (let index = 0; index < 1 + (seed % 9); index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += pieces[state % pieces.length];
  }
  return text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('finds a problem exactly where the text is not JSON, and keeps its value when it formats', () => {
  const valid = ['{"a":[1,{"b":null}],"c":{}}', '[]', '[[],[{}]]', '"\u007f😀"', ' { } ', '-1E+5'];
  const texts = [...valid, ...Array.from({ length: 20_000 }, (_, seed) => textOf(seed))];
  let found = 0;
  for (const text of texts) {
    expect(jsonProblem(text) === undefined, text).toBe(isJson(text));
    if (!isJson(text)) expect(formatJson(text)).toBe(text);
    else {
      found += 1;
      expect(JSON.parse(formatJson(text))).toEqual(JSON.parse(text));
    }
  }
  expect(found).toBeGreaterThan(100);
});

test('formats as JSON.stringify does, and keeps the digits of large numbers', () => {
  const text = '{"a":[1,{"b":null}],"c":{},"d":[]}';
  expect(formatJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  expect(formatJson('[12345678901234567890]')).toBe('[\n  12345678901234567890\n]');
});

test.for([
  ['', 1, 1, 'a value is missing'],
  ['{"a": 1,\n  b: 2}', 2, 3, 'a name in double quotes is missing'],
  ['[1 2]', 1, 4, 'a comma or the end is missing'],
  ['{"a" 1}', 1, 6, 'a colon is missing'],
  ['[1,]', 1, 4, 'a value is missing'],
  ['{} x', 1, 4, 'there is something after the end'],
] as const)('says what is wrong with %j', ([text, line, column, message]) => {
  expect(jsonProblem(text)).toEqual({ line, column, message });
});
