import type { App } from '../state/app.ts';
import type { Field } from './form-fields.ts';

/** What begins the lines that tell the user what is wrong with a file. JSON has no comments of its own. */
const mark = '// ';
/** A file that is still wrong after so many tries goes into the form as it is. */
const maxTries = 10;

/**
 * Opens a text in the user's editor and returns what the user saved. JSON that cannot be read is opened again with the
 * error at its top. It is returned as it is if the user saves it again without a change.
 */
export async function editChecked(
  app: Pick<App, 'host'>,
  text: string,
  { suffix = '.md' }: Pick<Field, 'suffix'>,
): Promise<string> {
  let written = await app.host.edit(text, suffix);
  if (suffix !== '.json') return written;
  for (let tries = 1; tries < maxTries; tries += 1) {
    const problem = problemOf(written);
    if (problem === undefined) break;
    const before = written;
    const advice = 'Correct it, or save the file unchanged to go on in the form.';
    written = withoutMarks(await app.host.edit(`${mark}${problem}\n${mark}${advice}\n${written}`, suffix));
    if (written === before) break;
  }
  return written;
}

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}`;
  }
}

function withoutMarks(text: string): string {
  const lines = text.split('\n');
  // What follows the problem and the advice is the user's, whatever it begins with.
  const first = lines.findIndex((line, index) => index === 2 || !line.startsWith(mark.trim()));
  return first === -1 ? '' : lines.slice(first).join('\n');
}
