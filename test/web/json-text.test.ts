import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson, jsonProblem } from '../../web/src/parts/files/json-text.ts';

/** Pieces of texts that are JSON, or almost. */
const pieces = [...'{}[],:1 \n', '"a"', '-0.5e3', '01', '.5', 'true', 'nul', '"\\x"', '"\n"'];
const almostJson = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(''));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('finds a problem exactly where the text is not JSON, and formats as JSON.stringify does', () => {
  const property = fc.property(fc.oneof(fc.json(), almostJson), (text) => {
    expect(jsonProblem(text) === undefined).toBe(isJson(text));
    if (isJson(text)) expect(JSON.parse(formatJson(text))).toEqual(JSON.parse(text));
    else expect(formatJson(text)).toBe(text);
  });
  fc.assert(property, { numRuns: 5_000 });
  const text = '{"a":[1,{"b":null}],"c":{},"d":[]}';
  expect(formatJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  expect(formatJson('[12345678901234567890]')).toBe('[\n  12345678901234567890\n]');
});
