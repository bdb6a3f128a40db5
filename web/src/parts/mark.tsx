import {
  conversationStatuses,
  issueStatuses,
  runStatuses,
  severities,
} from '../../../src/contract/vocabulary.ts';
import styles from './mark.module.css';

const marked: ReadonlySet<string> = new Set(
  [...severities, ...issueStatuses, ...conversationStatuses, ...runStatuses].map((word) =>
    word.toLowerCase(),
  ),
);

interface MarkProps {
  readonly word: string;
  /** The words that it is one of. Without a severity or a status among them, it has no sign. */
  readonly among?: readonly string[];
}

/** A severity or a status: a sign of its own shape and colour beside the word, so that nobody needs the colour. */
export function Mark({ word, among }: MarkProps) {
  if (among !== undefined && !among.some((each) => marked.has(each.toLowerCase()))) return <bdi>{word}</bdi>;
  return (
    <span className={styles.mark} data-word={word.toLowerCase()}>
      {word}
    </span>
  );
}
