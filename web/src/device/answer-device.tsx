import { Alert, Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import styles from '../parts/card.module.css';
import { Facts } from '../parts/facts.tsx';
import { sentenceOf } from '../parts/failure.tsx';
import { Moment } from '../parts/time/moment.tsx';
import type { WaitingDevice } from './device-page.tsx';
import { type TokenRights, TokenRightsFields } from './token-rights.tsx';

/** For how long a device may act as this person. */
const periods = [
  { value: '1', label: 'A day' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];

interface AnswerDeviceProps {
  readonly device: WaitingDevice;
  readonly onRestart: () => void;
}

/** Asks whether the device may act as this person, and with which rights. */
export function AnswerDevice({ device, onRestart }: AnswerDeviceProps) {
  const { admin } = useSession();
  const form = useForm<TokenRights>({
    mode: 'uncontrolled',
    initialValues: { role: admin.role, days: '90', isReadOnly: false },
  });
  const approve = useMutation({
    mutationFn: ({ role, days, isReadOnly }: TokenRights) =>
      client.call('device.approve', {
        user_code: device.code,
        role: role as Role,
        expires_days: Number(days),
        read_only: isReadOnly,
      }),
  });
  const deny = useMutation({ mutationFn: () => client.call('device.deny', { user_code: device.code }) });
  if (approve.isSuccess)
    return (
      <Done
        title="The device was approved"
        text="It signs in within a few seconds. You can close this page."
      />
    );
  if (deny.isSuccess)
    return (
      <Done
        title="The device was denied"
        text="If you did not start it, somebody may have tried to sign in as you."
      />
    );
  const problem = approve.error ?? deny.error;
  return (
    <form className={styles.card} onSubmit={form.onSubmit((values) => approve.mutate(values))}>
      <h1 className={styles.title}>Approve this device?</h1>
      <p className={styles.text}>
        It will act as {admin.email}. Continue only if you have started it yourself, just now.
      </p>
      {problem && (
        <Alert color="red" role="alert">
          {sentenceOf(problem)}{' '}
          <Button variant="transparent" size="compact-sm" onClick={onRestart}>
            Enter another code
          </Button>
        </Alert>
      )}
      <Facts
        facts={[
          ['Device', device.name],
          ['Address', device.address],
          ['Asked', <Moment key="at" at={device.created_at} />],
        ]}
      />
      <TokenRightsFields form={form} periods={periods} />
      <div className={styles.buttons}>
        <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate()}>
          Deny
        </Button>
        <Button type="submit" loading={approve.isPending}>
          Approve
        </Button>
      </div>
    </form>
  );
}

function Done({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className={styles.card} role="status">
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
    </div>
  );
}
