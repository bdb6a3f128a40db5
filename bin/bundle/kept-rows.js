/**
 * @typedef {{ type: string, y: number, x: number, text: string, transformers: readonly ((text: string, row: number) => string)[] }} Operation
 * @typedef {{ operations: Operation[], width: number, height: number, get(): { output: string, height: number } }} Output
 */

const esc = '\u001B';
/** Characters of one cell each, and styles. All others are left to Ink. */
const simple = new RegExp(`^(?:[ -~¡-¬®-˿…─-╿▀-█○●❯✓✗•·▲▼▸◂↑↓]|${esc}\\[[0-9;]+m)*$`);
const styles = new RegExp(`${esc}\\[([0-9;]+)m`, 'g');
const ends = new Set(['22', '23', '24', '27', '29', '39', '49']);

/**
 * Returns an output that gives the frames of Ink's own, and draws only the rows that the previous frame did not have. Ink
 * makes an object for each cell of each frame: 24,000 in a terminal of 300×80, and their collection takes a third of the
 * time of a key.
 *
 * @param {new (size: { width: number, height: number }) => Output} Output
 */
export function keepRows(Output) {
  /** The rows of the previous frame, by what is drawn in them. @type {Map<string, string>} */
  let kept = new Map();
  return class extends Output {
    /** @override */
    get() {
      const { width, height } = this;
      const drawn = rowsOf(this);
      if (drawn === undefined) return super.get();
      /** @type {typeof kept} */
      const rows = new Map();
      const lines = drawn.map((operations) => {
        const key = keyOf(operations);
        const line = rows.get(key) ?? kept.get(key) ?? drawRow(operations, width);
        rows.set(key, line);
        return line;
      });
      kept = rows;
      return { output: lines.join('\n'), height };
    }
  };

  /**
   * @param {Operation[]} operations
   * @param {number} width
   */
  function drawRow(operations, width) {
    const [only] = operations;
    if (only === undefined) return '';
    if (operations.length === 1 && only.x === 0 && isSimple(only.text)) return only.text.trimEnd();
    const row = new Output({ width, height: 1 });
    row.operations = operations.map((operation) => ({ ...operation, y: 0 }));
    return row.get().output;
  }
}

/**
 * Returns what is drawn in each row, or undefined if that cannot be told apart.
 *
 * @param {Output} output
 */
function rowsOf({ operations, height }) {
  const rows = Array.from({ length: height }, () => /** @type {Operation[]} */ ([]));
  for (const operation of operations) {
    const { type, text, y, transformers } = operation;
    if (type !== 'write' || text.includes('\n')) return undefined;
    if (transformers.some((transform) => transform(text, 0) !== text)) return undefined;
    // Ink draws nothing outside of the frame.
    rows[y]?.push(operation);
  }
  return rows;
}

/** @param {Operation[]} operations */
function keyOf(operations) {
  const [only] = operations;
  // As it is, a text that was a key before has its hash.
  if (operations.length === 1 && only?.x === 0) return only.text;
  return operations.map(({ x, text }) => `\n${x} ${text}`).join('');
}

/**
 * Reports whether Ink would draw the text as it is: all cells are known, and each style ends.
 *
 * @param {string} text
 */
function isSimple(text) {
  if (!simple.test(text)) return false;
  let open = 0;
  for (const [, code = ''] of text.matchAll(styles)) open += ends.has(code) ? -1 : 1;
  return open === 0;
}

/** Texts of a few frames. */
const maxTexts = 1_000;

/**
 * Returns a function that gives the same answers, and remembers the last ones.
 *
 * @template Answer
 * @param {(text: string) => Answer} find
 * @returns {(text: string) => Answer}
 */
export function remember(find) {
  /** @type {Map<string, Answer>} */
  const known = new Map();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxTexts) known.clear();
    const answer = find(text);
    known.set(text, answer);
    return answer;
  };
}
