import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../parts/numbers.ts';
import styles from './setting-group.module.css';
import { SettingItem } from './setting-item.tsx';
import type { SettingRow } from './setting-rows.ts';
import type { shownGroups } from './setting-search.ts';

/** How many settings that the service does not read are shown at first: there may be thousands. */
const othersPerPage = 100;

const groupTexts: Readonly<Record<(typeof shownGroups)[number], string>> = {
  Appearance: 'How this dashboard looks, for everybody and on the sign-in page.',
  Visitors: 'How visitors of your website reach you, and you them.',
  Region: 'How days, months and amounts are shown.',
  Usage: 'What language models cost, and when to raise an alert.',
  Retention: 'How long data is kept. Older data is deleted once an hour.',
  Security: 'How accounts are protected.',
  Other: 'Settings of your website. The service stores them and does not read them.',
};

interface SettingGroupProps {
  readonly name: (typeof shownGroups)[number];
  readonly rows: readonly SettingRow[];
}

/** The settings of a group. Of very many, the first ones. */
export function SettingGroup({ name, rows }: SettingGroupProps) {
  const [shown, setShown] = useState(othersPerPage);
  if (rows.length === 0) return null;
  const id = `settings-${name}`;
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 className={styles.title} id={id}>
        {name}
      </h2>
      <p className={styles.text}>{groupTexts[name]}</p>
      <ul className={styles.items}>
        {rows.slice(0, shown).map((row) => (
          <SettingItem key={row.key} row={row} />
        ))}
      </ul>
      {rows.length > shown && (
        <Button
          variant="default"
          onClick={() => setShown(shown + othersPerPage)}
          className={styles.more ?? ''}
        >
          Show more ({formatCount(rows.length - shown)} left)
        </Button>
      )}
    </section>
  );
}

/** Stands for the groups while they are loaded. */
export function SettingGroupSkeleton() {
  return (
    <div aria-busy="true" data-loading className={styles.group}>
      <Skeleton height={20} width={120} />
      <Skeleton height={300} mt={16} />
    </div>
  );
}
