import { Combobox, useCombobox } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { findSavedReplies } from '../../../src/contract/saved-reply-text.ts';
import { sentenceOf } from '../parts/note.tsx';
import sheet from '../parts/sheet.module.css';
import { savedReplies } from '../saved-replies/saved-replies-page.tsx';
import styles from './thread.module.css';

/** More are found by typing. */
const maxShown = 50;

interface SavedReplyPickerProps {
  /** What is searched for in the field; undefined if it is no search. */
  readonly search: string | undefined;
  /** Whether the button has opened the list, which has a search field of its own then. */
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChoose: (content: string) => void;
  /** The field of the reply, whose keys are for the list while it has a reply to choose, or may have one soon. */
  readonly children: (areKeysForList: boolean) => ReactElement;
}

/** The list of saved replies above the field, to choose one by keys or pointer. */
export function SavedReplyPicker(props: SavedReplyPickerProps) {
  const { search, isOpen, onOpen, onChoose, children } = props;
  const [typed, setTyped] = useState('');
  const [dismissed, setDismissed] = useState<string>();
  const isSearched = search !== undefined && search !== dismissed;
  const isShown = isOpen || isSearched;
  const list = useInfiniteQuery({ ...savedReplies.listQuery({}), enabled: isShown });
  const { isPending, error } = list;
  const data = list.data?.pages[0]?.rows ?? [];
  const wanted = isOpen ? typed : (search ?? '');
  // A closed list stays in the document, without its replies.
  const found = isShown ? findSavedReplies(data, wanted).slice(0, maxShown) : [];

  function close(): void {
    setDismissed(search);
    setTyped('');
    if (isOpen) onOpen(false);
  }

  const combobox = useCombobox({ opened: isShown, onDropdownClose: close });
  const { selectFirstOption, resetSelectedOption, focusSearchInput } = combobox;
  const first = found[0]?.id;
  // Each search starts at its first reply. The functions are new with each rendering.
  useEffect(() => {
    if (!isShown || first === undefined) resetSelectedOption();
    else selectFirstOption();
  }, [wanted, isShown, first]);
  useEffect(() => {
    if (isOpen) focusSearchInput();
  }, [isOpen]);

  return (
    <Combobox
      store={combobox}
      position="top-start"
      width="min(420px, calc(100vw - 32px))"
      // Beside the field, and not at the end of the page: it belongs to the same landmark.
      withinPortal={false}
      onOptionSubmit={(id) => {
        const reply = found.find((each) => String(each.id) === id);
        close();
        if (reply !== undefined) onChoose(reply.content);
      }}
    >
      <Combobox.Target withKeyboardNavigation={isShown} withAriaAttributes={isShown}>
        {children(isShown && (isPending || first !== undefined))}
      </Combobox.Target>
      <Combobox.Dropdown>
        {isOpen && (
          <Combobox.Search
            aria-label="Search saved replies"
            placeholder="Search saved replies"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
            onBlur={close}
          />
        )}
        <Combobox.Options mah={280} style={{ overflow: 'auto' }} aria-label="Saved replies">
          {found.map(({ id, shortcut, title, content }) => (
            <Combobox.Option key={id} value={String(id)} className={styles.choice ?? ''}>
              <span className={sheet.lines}>
                <span className={sheet.between}>
                  <bdi className={sheet.text}>{title}</bdi>
                  <span className={`${sheet.cut} ${sheet.small} ${styles.shortcut}`}>/{shortcut}</span>
                </span>
                <span className={`${sheet.cut} ${sheet.small}`} dir="auto">
                  {content}
                </span>
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
        {found.length === 0 && (
          <Combobox.Empty ta="start" px={12} py={8} role="status">
            {noneText(error, isPending, data.length === 0)}
          </Combobox.Empty>
        )}
        <Combobox.Footer>
          <Link
            to="/saved-replies"
            // The search field keeps the focus until the link is followed: losing it closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={close}
          >
            Manage saved replies
          </Link>
        </Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function noneText(error: Error | null, isPending: boolean, isEmpty: boolean): string {
  if (error !== null) return sentenceOf(error);
  if (isPending) return 'Loading the saved replies…';
  return isEmpty ? 'There are no saved replies yet.' : 'No saved reply matches.';
}
