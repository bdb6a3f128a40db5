/** Where a text stops being JSON. Browsers say it in different words, or not at all. */
interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const tokenForm =
  /\s*("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)|[[\]{}:,])/uy;

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing';

const words: Readonly<Record<Expected, string>> = {
  value: 'a value is missing',
  'value or ]': 'a value or ] is missing',
  key: 'a name in double quotes is missing',
  'key or }': 'a name in double quotes or } is missing',
  ':': 'a colon is missing',
  ', or end': 'a comma or the end is missing',
  nothing: 'there is something after the end',
};

/** Returns the tokens of a JSON text, or the first problem. Numbers keep their digits, which `JSON.parse` may round. */
function readJson(text: string): { readonly tokens: readonly string[] } | JsonProblem {
  const tokens: string[] = [];
  const open: string[] = [];
  let expected: Expected = 'value';
  let position = 0;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : ', or end');
  for (;;) {
    tokenForm.lastIndex = position;
    const [match, token] = tokenForm.exec(text) ?? [];
    const next = token === undefined ? undefined : follow(token);
    if (match === undefined || token === undefined || next === undefined) {
      const rest = text.slice(position);
      if (rest.trim() === '' && expected === 'nothing') return { tokens };
      return problemAt(text, position + (rest.length - rest.trimStart().length), words[expected]);
    }
    tokens.push(token);
    expected = next;
    position += match.length;
  }

  /** Returns what must come after a token, or undefined if it may not come here. */
  function follow(token: string): Expected | undefined {
    const isKeyPlace = expected === 'key' || expected === 'key or }';
    const isValuePlace = expected === 'value' || expected === 'value or ]';
    if (token === ':') return expected === ':' ? 'value' : undefined;
    if (token === ',') {
      if (expected !== ', or end') return undefined;
      return open.at(-1) === '{' ? 'key' : 'value';
    }
    if (token === '}' || token === ']') {
      const start = token === '}' ? '{' : '[';
      const mayEnd = expected === ', or end' || expected === (token === '}' ? 'key or }' : 'value or ]');
      if (!mayEnd || open.at(-1) !== start) return undefined;
      open.pop();
      return afterValue();
    }
    if (isKeyPlace) return token.startsWith('"') ? ':' : undefined;
    if (!isValuePlace) return undefined;
    if (token !== '{' && token !== '[') return afterValue();
    open.push(token);
    return token === '{' ? 'key or }' : 'value or ]';
  }
}

function problemAt(text: string, position: number, message: string): JsonProblem {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}

/** Returns where and why a text is not JSON; undefined if it is. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const result = readJson(text);
  return 'tokens' in result ? undefined : result;
}

/** Returns a JSON text with each entry on its own line. A text that is not JSON stays as it is. */
export function formatJson(text: string): string {
  const result = readJson(text);
  if (!('tokens' in result)) return text;
  let depth = 0;
  let formatted = '';
  const newLine = () => `\n${'  '.repeat(depth)}`;
  result.tokens.forEach((token, index) => {
    const isEmpty = /^[}\]]$/.test(token) && /^[{[]$/.test(result.tokens[index - 1] ?? '');
    if (/^[}\]]$/.test(token)) {
      depth -= 1;
      formatted += isEmpty ? token : newLine() + token;
    } else if (/^[{[]$/.test(token)) {
      depth += 1;
      const isNextEnd = /^[}\]]$/.test(result.tokens[index + 1] ?? '');
      formatted += token + (isNextEnd ? '' : newLine());
    } else if (token === ',') formatted += `,${newLine()}`;
    else formatted += token === ':' ? ': ' : token;
  });
  return formatted;
}
