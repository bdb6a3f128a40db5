import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useSession } from '../app/session/session.ts';
import { GuardedButton } from '../parts/inputs/guarded-button.tsx';
import { counted } from '../parts/numbers.ts';
import { Section } from '../parts/page/section.tsx';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import { hasPasskeys, kindOf, nameOf } from './factor-names.ts';
import styles from './profile-page.module.css';
import { type Factor, factorsQuery } from './profile-queries.ts';
import type { ProfileSearch } from './profile-search.ts';

const RemoveFactor = lazyPart(() => import('./remove-factor.tsx'), 'RemoveFactor');

const columns: readonly ShortColumn<Factor>[] = [
  { title: 'Name', phone: 'title', cell: nameOf },
  { title: 'Kind', phone: 'start', width: '168px', cell: kindOf },
  timeColumn({ title: 'Added', phone: 'hidden', width: '128px', at: ({ created_at }) => created_at }),
  timeColumn({
    title: 'Last used',
    phone: 'end',
    width: '128px',
    at: ({ last_used_at }) => last_used_at,
    none: 'Not yet',
  }),
];

interface FactorsProps {
  readonly onOpen: (dialog: ProfileSearch['dialog']) => void;
}

/** One's own second factors and recovery codes. */
export function Factors({ onOpen }: FactorsProps) {
  const { admin } = useSession();
  const { data, error, refetch } = useQuery(factorsQuery);
  const [removed, setRemoved] = useState<Factor>();
  const left = data?.recovery_codes_left ?? 0;
  return (
    <Section
      title="Second factor"
      text={textOf(data?.second_factor, admin.role)}
      bar={
        <>
          <Button variant="default" onClick={() => onOpen('app')}>
            Add authenticator app
          </Button>
          <GuardedButton
            variant="default"
            reason={
              hasPasskeys() ? undefined : 'Passkeys need HTTPS and a browser that knows them, or localhost.'
            }
            onClick={() => onOpen('passkey')}
          >
            Add passkey
          </GuardedButton>
        </>
      }
    >
      <ShortTable
        label="Second factors"
        columns={columns}
        rows={data?.factors}
        error={error}
        retry={() => void refetch()}
        nameOf={nameOf}
        actions={(factor) => [{ label: 'Remove…', run: () => setRemoved(factor), isDangerous: true }]}
        empty={
          <p className={styles.note}>You have none. A stolen password would be enough to sign in as you.</p>
        }
      />
      {data !== undefined && data.factors.length > 0 && (
        <div className={styles.codes}>
          <p className={styles.note} data-low={left < 3 || undefined}>
            {left === 0
              ? 'You have no recovery code left. Without your factor, only a superadmin can let you in.'
              : `${counted(left, 'recovery code')} left, for when you do not have your factor.`}
          </p>
          <Button variant="default" size="compact-sm" onClick={() => onOpen('codes')}>
            Replace recovery codes
          </Button>
        </div>
      )}
      <Suspense>
        {removed && (
          <RemoveFactor
            factor={removed}
            isLast={data?.factors.length === 1}
            onClose={() => setRemoved(undefined)}
          />
        )}
      </Suspense>
    </Section>
  );
}

/** Says what the service asks of the role. */
function textOf(mode: 'off' | 'optional' | 'required' | undefined, role: string): string {
  if (mode === 'required') return `Accounts with the role ${role} need one at each sign-in.`;
  if (mode === 'off')
    return 'Sign-ins do not ask for one now, because the service has it switched off for your role.';
  return 'Asked for at each sign-in, once you have added one.';
}
