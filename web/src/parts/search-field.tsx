import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { maxSearchLength } from '../../../src/contract/fields/bounds.ts';
import { useShortcuts } from '../app/commands/shortcuts.ts';
import { Icon } from './icon.tsx';
import styles from './parts.module.css';

const typingMs = 250;

interface SearchFieldProps {
  /** What it searches, such as `Search issues`. */
  readonly label: string;
  /** What the page's address says. */
  readonly text: string | undefined;
  /** Called when one stops typing; with undefined for no text. */
  readonly onChange: (text: string | undefined) => void;
  /** Takes the place of its own class, which gives it its width in the bar of a page. */
  readonly className?: string | undefined;
}

/** A field for a search whose text is in the page's address. */
export function SearchField({
  label,
  text = '',
  onChange,
  className = styles.search ?? '',
}: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(text);
  const change = useDebouncedCallback((value: string) => {
    sent.current = value;
    onChange(value === '' ? undefined : value);
  }, typingMs);
  useShortcuts('This page', [{ keys: '/', title: label, run: () => field.current?.focus() }]);
  // The address may change without typing: by the back button, or a link.
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder="Search"
      leftSection={<Icon name="search" />}
      className={className}
      maxLength={maxSearchLength}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        change(value);
      }}
    />
  );
}
