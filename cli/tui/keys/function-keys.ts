import type { Stroke } from './strokes.ts';

/** The numbers of the keys in `Esc [ 15 ~`, from F1 on. */
const numbers = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];
/** The letters of F1 to F4 in `Esc O P`, and of F1 to F5 in `Esc [ [ A`, on a Linux console. */
const letters = { O: 'PQRS', console: 'ABCDE' };
const esc = '\u001B';
const byNumber = new RegExp(`^${esc}\\[(\\d+)(?:;(\\d))?~$`);
const byLetter = new RegExp(`^${esc}(?:O|\\[1;(\\d))([PQRS])$`);
const onConsole = new RegExp(`^${esc}\\[\\[([A-E])$`);

/** Returns the function key of a control sequence, which Ink does not report: `f5`, `shift+f1`. */
export function functionKeyOf(sequence: string): Stroke | undefined {
  const [, number, numberModifiers] = byNumber.exec(sequence) ?? [];
  if (number !== undefined) return strokeAt(numbers.indexOf(Number(number)), numberModifiers);
  const [, letterModifiers, letter] = byLetter.exec(sequence) ?? [];
  if (letter !== undefined) return strokeAt(letters.O.indexOf(letter), letterModifiers);
  const [, consoleLetter] = onConsole.exec(sequence) ?? [];
  return consoleLetter === undefined
    ? undefined
    : strokeAt(letters.console.indexOf(consoleLetter), undefined);
}

function strokeAt(index: number, modifiers: string | undefined): Stroke | undefined {
  if (index === -1) return undefined;
  // The terminal adds one to the sum: 1 shift, 2 alt, 4 ctrl.
  const held = modifiers === undefined ? 0 : Number(modifiers) - 1;
  const names = [held & 4 ? 'ctrl+' : '', held & 2 ? 'alt+' : '', held & 1 ? 'shift+' : ''];
  return { key: `${names.join('')}f${index + 1}` };
}
