import { useKept } from '../../app/kept/use-kept.ts';

/** A proposed reply, as it was on the screen. */
export interface SeenDraft {
  /** The id of the visitor's message. */
  readonly id: number;
  readonly draft: string;
}

/** The reply that is being written. */
export interface Draft {
  readonly text: string;
  /** The proposed reply that is being edited: sending the text approves it. */
  readonly approves?: SeenDraft | undefined;
}

export const emptyDraft: Draft = { text: '' };

/** Returns the reply that is being written, which the browser keeps for each admin and conversation, and a function to change it. */
export function useDraft(conversationId: string): readonly [Draft, (draft: Draft) => void] {
  const [draft = emptyDraft, keep] = useKept<Draft>(`reply.${conversationId}`);
  return [draft, (next) => keep(next.text === '' ? undefined : next)];
}
