/** The answer of an operation to a caller who has to do something first: its `pending`. */
export class Pending<Answer> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}
