import { lazyPart } from '../app/lazy-part.ts';
import { createStore } from '../app/store.ts';
import type { Question } from './confirm-dialog.tsx';

const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

interface Asked extends Question {
  readonly key: number;
  readonly answer: (isConfirmed: boolean) => void;
}

const asked = createStore<readonly Asked[]>([]);
let count = 0;

/** Asks in a dialog. Resolves with whether the person confirmed, once `run` is done. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const key = ++count;
    const answer = (isConfirmed: boolean) => {
      asked.set(asked.get().filter((other) => other.key !== key));
      resolve(isConfirmed);
    };
    asked.set([...asked.get(), { ...question, key, answer }]);
  });
}

/** Takes the open questions away, which then have no answer. */
export function withdrawQuestions(): void {
  asked.set([]);
}

/** Shows the questions of `confirm`. The dashboard has it once. */
export function Confirmations() {
  return asked
    .use()
    .map(({ key, answer, ...question }) => <ConfirmDialog key={key} question={question} onAnswer={answer} />);
}
