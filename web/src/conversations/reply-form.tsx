import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { noVisitorMail } from '../../../src/contract/deliveries.ts';
import { visitorMailKey } from '../../../src/contract/known-settings/visitor-mail.ts';
import { fillPlaceholders, unknownPlaceholders } from '../../../src/contract/saved-reply-text.ts';
import { commandKey } from '../app/commands/keys.ts';
import { useSession } from '../app/session/session.ts';
import { submitOnCtrlEnter } from '../parts/inputs.ts';
import sheet from '../parts/sheet.module.css';
import { type Conversation, visitorMailQuery } from './conversation-resource.ts';
import { useDraft } from './reply-outbox.ts';
import { SavedReplyPicker } from './saved-reply-picker.tsx';
import styles from './thread.module.css';

interface ReplyFormProps {
  readonly conversation: Conversation;
  readonly onSend: () => void;
}

/** The field for a reply. Ctrl and Enter send; a slash at its start finds saved replies. */
export function ReplyForm({ conversation, onSend }: ReplyFormProps) {
  const [draft, write] = useDraft(conversation.id);
  const { admin } = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isPickerOpen, setPickerOpen] = useState(false);
  const { text, approves } = draft;
  const isEmpty = text.trim() === '';
  const [left] = unknownPlaceholders(text);
  const { data: mail } = useQuery(visitorMailQuery);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isEmpty) onSend();
  }

  /** Puts a saved reply where the search for it, or the caret, is. */
  function insert(content: string): void {
    const filled = fillPlaceholders(content, {
      visitor_name: conversation.visitor_name,
      admin_name: admin.username,
      conversation_id: conversation.id,
    });
    const input = field.current;
    if (input === null) return;
    if (searchOf(text) !== undefined) input.select();
    input.setRangeText(filled, input.selectionStart, input.selectionEnd, 'end');
    // As if it was typed.
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    input.focus();
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      {approves !== undefined && (
        <span className={sheet.quiet}>
          You edit the proposed reply. Your text is sent in its place.{' '}
          <Button size="compact-xs" variant="subtle" onClick={() => write({ text })}>
            Keep the proposal
          </Button>
        </span>
      )}
      {mail && mail !== 'on' && (
        <span className={sheet.quiet}>
          {noVisitorMail[mail]}{' '}
          <Link to="/settings" search={{ setting: visitorMailKey }}>
            Settings
          </Link>
        </span>
      )}
      <SavedReplyPicker
        search={searchOf(text)}
        isOpen={isPickerOpen}
        onOpen={setPickerOpen}
        onChoose={insert}
      >
        {(areKeysForList) => (
          <Textarea
            ref={field}
            aria-label="Reply"
            placeholder={`Write a reply. Type / for saved replies. ${commandKey}+Enter sends it.`}
            autosize
            minRows={3}
            maxRows={12}
            w="100%"
            value={text}
            onChange={({ currentTarget: { value } }) => write({ ...draft, text: value })}
            onKeyDown={(event) => areKeysForList || submitOnCtrlEnter(event)}
          />
        )}
      </SavedReplyPicker>
      {left !== undefined && (
        <span className={sheet.warning} role="status">
          {left} is not filled in.
        </span>
      )}
      <div className={sheet.between}>
        <Button variant="default" onClick={() => setPickerOpen(true)}>
          Saved replies
        </Button>
        <Button type="submit" disabled={isEmpty}>
          {approves === undefined ? 'Send' : 'Send edited reply'}
        </Button>
      </div>
    </form>
  );
}

/** Returns what follows a slash at the start of a reply; undefined if it is no search for a saved reply. */
function searchOf(text: string): string | undefined {
  return /^\/([^\n/]{0,50})$/.exec(text)?.[1];
}
