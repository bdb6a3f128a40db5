import { type Command, Option } from 'commander';
import type { Column } from '../../output/table.ts';

/** Parses labels with commas between them, after those of the same option before. */
const takeLabels = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== ''),
];

/** Creates an option that takes one label, or several with commas between them or by several options. */
export function labelsOption(flags: string, description: string): Option {
  return new Option(flags, `${description}, or several: a,b`).argParser(takeLabels);
}

/** What a command adds to the labels of rows, and removes from them. */
export interface LabelChanges {
  readonly addLabel?: readonly string[] | undefined;
  readonly removeLabel?: readonly string[] | undefined;
}

/** Adds the options that change labels to a command. */
export function withLabelChanges(command: Command): Command {
  return command
    .addOption(labelsOption('--add-label <labels>', 'add this label'))
    .addOption(labelsOption('--remove-label <labels>', 'remove this label'));
}

/** Returns what a change sets. */
export const labelsToSet = ({ addLabel: add_labels, removeLabel: remove_labels }: LabelChanges) => ({
  ...(add_labels === undefined ? {} : { add_labels: [...add_labels] }),
  ...(remove_labels === undefined ? {} : { remove_labels: [...remove_labels] }),
});

interface LabelledRow {
  readonly labels?: readonly string[] | undefined;
}

/** Returns the column of the labels if it is included. */
export function labelColumns({ include }: { readonly include?: string }): readonly Column<LabelledRow>[] {
  if (include?.split(',').includes('labels') !== true) return [];
  return [{ heading: 'labels', value: ({ labels = [] }) => labels.join(', '), cut: true }];
}
