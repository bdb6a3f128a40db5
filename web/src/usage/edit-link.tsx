import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { budgetsKey, pricesKey } from '../../../src/contract/known-settings/token-settings.ts';
import { useSettingRefusal } from '../app/session/use-setting-refusal.ts';
import { GuardedButton } from '../parts/inputs/guarded-button.tsx';
import type { UsageSearch } from './usage-search.ts';

/** The setting that each form edits. */
export const settingKeys = { prices: pricesKey, budgets: budgetsKey } as const;

interface EditLinkProps {
  readonly edit: NonNullable<UsageSearch['edit']>;
  /** The model that the form is opened for. */
  readonly model?: string | undefined;
  readonly isButton?: boolean;
  readonly children: string;
}

/** The way to the form of prices or budgets. It says who may change them to those who may not. */
export function EditLink({ edit, model, isButton = false, children }: EditLinkProps) {
  const reason = useSettingRefusal()(settingKeys[edit]);
  if (reason !== undefined) {
    const look = isButton ? ({ variant: 'default', size: 'xs' } as const) : ({ size: 'compact-xs' } as const);
    return (
      <GuardedButton {...look} reason={reason} onClick={() => {}}>
        {children}
      </GuardedButton>
    );
  }
  if (!isButton) {
    return (
      <Link to="." search={(search) => ({ ...search, edit, model })}>
        {children}
      </Link>
    );
  }
  return (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => <Link to="." search={(search) => ({ ...search, edit, model })} {...props} />}
    >
      {children}
    </Button>
  );
}
