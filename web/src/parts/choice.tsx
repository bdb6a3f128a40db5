import { SegmentedControl } from '@mantine/core';

interface ChoiceProps<Word extends string> {
  readonly label: string;
  /** The words of the address, and their names. */
  readonly words: Readonly<Record<Word, string>>;
  readonly chosen: Word;
  readonly onChoose: (word: Word) => void;
}

/** Chooses one of a few words. */
export function Choice<Word extends string>({ label, words, chosen, onChoose }: ChoiceProps<Word>) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      data={Object.entries<string>(words).map(([value, name]) => ({ value, label: name }))}
      value={chosen}
      onChange={(value) => onChoose(value as Word)}
    />
  );
}
