import { VisuallyHidden } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { useSession } from '../../app/session/session.ts';
import styles from './password-rules.module.css';

interface PasswordRulesProps<Values extends { readonly password: string }> {
  readonly form: UseFormReturnType<Values>;
  /** The e-mail of the account. */
  readonly email: string;
}

/** Says which rules of the service a new password keeps, while it is typed. The service checks it against common ones. */
export function PasswordRules<Values extends { readonly password: string }>({
  form,
  email,
}: PasswordRulesProps<Values>) {
  const { rules } = useSession();
  const [password, setPassword] = useState('');
  form.watch('password', ({ value }) => setPassword(String(value)));
  const text = password.normalize('NFKC').toLowerCase();
  const isLong = [...password].length >= rules.password_min_length;
  const isEmail = text !== '' && (text === email || text === email.split('@', 1)[0]);
  const must = rules.strict_roles ? 'Not' : 'Better not';
  return (
    <ul className={styles.rules} aria-label="Rules for the password">
      <Rule isKept={isLong} isTyped={text !== ''}>
        At least {rules.password_min_length} characters
      </Rule>
      <Rule isKept={text !== '' && !isEmail} isTyped={text !== ''}>
        {must} the email of the account or its first part
      </Rule>
      <li data-state="open">{must} one of the 10,000 most common passwords</li>
    </ul>
  );
}

interface RuleProps {
  readonly isKept: boolean;
  readonly isTyped: boolean;
  readonly children: ReactNode;
}

function Rule({ isKept, isTyped, children }: RuleProps) {
  const state = isKept ? 'kept' : isTyped ? 'broken' : 'open';
  return (
    <li data-state={state}>
      {children}
      {isKept && <VisuallyHidden>: yes</VisuallyHidden>}
    </li>
  );
}
