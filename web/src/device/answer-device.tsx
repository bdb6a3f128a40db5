import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DoneOf } from '../../../src/contract/registry.ts';
import { client } from '../app/data/client.ts';
import { useSession } from '../app/session/session.ts';
import { Form } from '../form/form.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/entries.tsx';
import { Moment } from '../parts/moment.tsx';
import { sentenceOf } from '../parts/note.tsx';
import { rightsFields, rightsOf, startRights } from '../tokens/token-dialogs.tsx';

interface AnswerDeviceProps {
  /** The device that waits for an answer, with the code that it shows. */
  readonly device: DoneOf<'device.show'>['device'] & { readonly code: string };
  readonly onRestart: () => void;
}

/** Asks whether the device may act as this person, and with which rights. */
export function AnswerDevice({ device, onRestart }: AnswerDeviceProps) {
  const { admin } = useSession();
  const deny = useMutation({ mutationFn: () => client.call('device.deny', { user_code: device.code }) });
  const [isApproved, setIsApproved] = useState(false);
  const start = { ...startRights, role: admin.role };
  if (isApproved)
    return (
      <Card
        title="The device was approved"
        text="It signs in within a few seconds. You can close this page."
        role="status"
      />
    );
  if (deny.isSuccess)
    return (
      <Card
        title="The device was denied"
        text="If you did not start it, somebody may have tried to sign in as you."
        role="status"
      />
    );
  return (
    <Card
      title="Approve this device?"
      text={`It will act as ${admin.email}. Continue only if you have started it yourself, just now.`}
      problem={deny.error && sentenceOf(deny.error)}
    >
      <Facts
        facts={{
          Device: <bdi>{device.name}</bdi>,
          Address: device.address,
          Asked: <Moment at={device.created_at} />,
        }}
      />
      <Form
        action="Approve"
        cancel="Deny"
        fields={rightsFields(admin.role, 'device')}
        start={start}
        isGuarded={false}
        // Escape is left to the frame, which has no use for it: the form would deny.
        frame={(form) => form}
        send={(set) => {
          // A device has no choice of rights for ever.
          const { expires_days: days, ...rights } = rightsOf({ ...start, ...set });
          const approved = { user_code: device.code, ...rights, expires_days: days ?? undefined };
          return client.call('device.approve', approved);
        }}
        onDone={() => setIsApproved(true)}
        onCancel={() => deny.mutate()}
      />
      <Button variant="subtle" size="compact-sm" onClick={onRestart}>
        Enter another code
      </Button>
    </Card>
  );
}
