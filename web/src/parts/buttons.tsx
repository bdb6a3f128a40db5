import { ActionIcon, type ActionIconProps, Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps, MouseEventHandler, ReactNode, Ref } from 'react';
import { buttonAlone, lazyPart } from '../app/lazy-part.ts';
import type { RowAction } from './floating.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './parts.module.css';

interface IconButtonProps extends Omit<ComponentProps<'button'>, keyof ActionIconProps>, ActionIconProps {
  readonly icon: IconName;
  /** What it does. */
  readonly label: string;
}

/** A button that has an icon alone. */
export function IconButton({ icon, label, ...props }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      {...(props.disabled && { bg: 'transparent' })}
      {...props}
    >
      <Icon name={icon} />
    </ActionIcon>
  );
}

const Reason = lazyPart(
  () => import('./floating.tsx'),
  'Reason',
  ({ children }) => children,
);

interface GuardedButtonProps extends ButtonProps {
  /** Why it does nothing now, such as `Only admins may delete issues.` */
  readonly reason: string | undefined;
  readonly onClick: MouseEventHandler<HTMLButtonElement>;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A button that says why one may not press it, also to keyboards: unlike a disabled one, it can have the focus. */
export function GuardedButton({ reason, onClick, ...others }: GuardedButtonProps) {
  if (reason === undefined) return <Button {...others} onClick={onClick} />;
  return (
    <Reason text={reason}>
      <Button {...others} data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()} />
    </Reason>
  );
}

/* A table can be read without its menus. */
const ActionMenu = lazyPart(() => import('./floating.tsx'), 'ActionMenu', buttonAlone);

interface RowMenuProps {
  /** What the actions are for, such as the name of a webhook. */
  readonly name: string;
  readonly actions: readonly RowAction[];
}

/** The menu of one row. Until it is loaded, its button is there and does nothing. */
export function RowMenu({ name, actions }: RowMenuProps) {
  if (actions.length === 0) return null;
  return (
    <ActionMenu actions={actions}>
      <IconButton icon="more" label={`Actions for ${name}`} className={styles.menuButton ?? ''} />
    </ActionMenu>
  );
}

/** A list that is loaded page by page. */
export interface PagedList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface MoreButtonProps extends ButtonProps {
  readonly list: PagedList;
  readonly children: ReactNode;
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ list, ...props }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
      {...props}
    />
  );
}

interface NewsButtonProps extends ButtonProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Leads to what has come meanwhile. It lies over the list, so that nothing moves when it comes. */
export function NewsButton(props: NewsButtonProps) {
  const place = { pos: 'absolute', left: 0, right: 0, mx: 'auto', w: 'fit-content' } as const;
  return <Button size="compact-sm" radius="xl" style={{ zIndex: 3 }} {...place} {...props} />;
}
