import type { Draft } from '../keep-text.ts';
import type { Form } from './form.tsx';

/**
 * Returns what is written in a form, if anything is. Secrets are left out.
 *
 * @param title - what it is, such as `new issue`
 */
export function draftsOf(
  form: Pick<Form, 'hasContent' | 'written'>,
  title: string,
  ending: 'saved' | 'sent' = 'saved',
): readonly Draft[] {
  if (!form.hasContent()) return [];
  return [{ title, text: form.written(), sentence: `The ${title} is not ${ending}.` }];
}
