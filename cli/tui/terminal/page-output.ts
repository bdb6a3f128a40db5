const esc = '\u001B';
const endOfStyle = new RegExp(`${esc}\\[(?:0?|39|49)m`, 'g');

/**
 * Returns the terminal's output, which draws the page in colours of its own. What is erased gets the background too,
 * as terminals fill with the current one.
 *
 * @param codeOf - returns the parameters of the colours, or the empty string for those of the terminal
 */
export function pageOutput(stdout: NodeJS.WriteStream, codeOf: () => string): NodeJS.WriteStream {
  const write: NodeJS.WriteStream['write'] = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    (stdout.write as (...all: unknown[]) => boolean)(
      typeof chunk === 'string' ? inColours(chunk, codeOf()) : chunk,
      ...rest,
    );
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Draws a text in colours, also after a style in it has ended, and ends with the colours of the terminal. */
function inColours(text: string, code: string): string {
  if (code === '' || text === '') return text;
  const start = `${esc}[${code}m`;
  return `${start}${text.replaceAll(endOfStyle, (end) => end + start)}${esc}[39;49m`;
}
