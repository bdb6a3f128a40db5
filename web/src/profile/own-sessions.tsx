import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../app/data/client.ts';
import { confirm } from '../form/confirm.tsx';
import { counted } from '../parts/numbers.ts';
import { Section } from '../parts/page/section.tsx';
import { type ShortColumn, ShortTable } from '../parts/table/short-table.tsx';
import { timeColumn } from '../parts/table/time-column.tsx';
import { tellError } from '../parts/tell.ts';
import styles from './profile-page.module.css';
import { type OwnSession, ownSessionsQuery, reloadProfile } from './profile-queries.ts';

const columns: readonly ShortColumn<OwnSession>[] = [
  {
    title: 'Device',
    phone: 'title',
    cell: ({ device, is_current: isCurrent }) => (
      <>
        <span className={styles.device}>{device || 'Unknown'}</span>
        {isCurrent && <span className={styles.here}> · this session</span>}
      </>
    ),
  },
  { title: 'Address', phone: 'start', width: '160px', cell: ({ address }) => address || 'Unknown' },
  timeColumn({ title: 'Signed in', phone: 'hidden', width: '128px', at: ({ created_at }) => created_at }),
  timeColumn({ title: 'Last used', phone: 'end', width: '128px', at: ({ last_seen_at }) => last_seen_at }),
];

/** Where one is signed in. One's own sign-ins can be repeated, so ending one asks nothing. */
export function OwnSessions() {
  const { data, error, refetch } = useQuery(ownSessionsQuery);
  const end = useMutation({
    mutationFn: (id: string) => client.call('sessions.revokeOwn', { id }),
    onError: tellError,
    onSettled: reloadProfile,
  });
  const others = (data?.length ?? 1) - 1;

  async function endOthers(): Promise<void> {
    await confirm({
      title: `End ${counted(others, 'other session')}?`,
      text: 'You stay signed in here. What is not saved elsewhere may be lost.',
      action: 'End other sessions',
      run: async () => {
        await client.call('sessions.revokeOwn', { others: '1' });
        await reloadProfile();
      },
    });
  }

  return (
    <Section
      title="Sessions"
      text="Where you are signed in. End what you do not recognize, and change your password."
      bar={
        others > 0 && (
          <Button variant="default" onClick={() => void endOthers()}>
            End all others
          </Button>
        )
      }
    >
      <ShortTable
        label="Your sessions"
        columns={columns}
        rows={data}
        error={error}
        retry={() => void refetch()}
        nameOf={({ device, address }) => `${device || 'the session'} at ${address || 'an unknown address'}`}
        actions={({ id, is_current: isCurrent }) => [
          {
            label: 'End session',
            run: () => end.mutate(id),
            isDangerous: true,
            disabled: isCurrent ? 'You use it now. Sign out instead.' : undefined,
          },
        ]}
      />
    </Section>
  );
}
