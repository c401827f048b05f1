import type { CancelReason } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { Message } from '../ui/message.tsx';
import { refreshManaged } from './managed.ts';
import { billingTexts } from './texts.ts';

/** In the order in which they are offered. */
const REASONS: readonly CancelReason[] = [
  'other',
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
];

interface CancelProps {
  /** The team that pays; the user if there is none. */
  team: string | undefined;
  /** The effect of the cancellation, as a sentence. */
  effect: string;
}

/** A button that cancels a subscription. The dialog asks for the reason. */
export function CancelSubscription({ team, effect }: CancelProps) {
  const texts = billingTexts().cancel;
  return (
    <Dialog label={texts.title} title={texts.title} kind="danger">
      {(close) => (
        <>
          <p>{effect}</p>
          <Form
            submit={texts.title}
            onSubmit={async (data) => {
              const reason = REASONS.find((value) => value === textOf(data, 'reason'));
              const comment = textOf(data, 'comment').trim();
              await hearth.subscription.cancel(
                { ...(reason !== undefined && { reason }), ...(comment !== '' && { comment }) },
                team === undefined ? {} : { team },
              );
              refreshManaged(team);
              close();
            }}
          >
            <Select
              label={texts.reason}
              name="reason"
              options={REASONS.map((value) => [value, texts.reasons[value]])}
            />
            <Field label={texts.comment} name="comment" maxLength={500} />
          </Form>
          <Button autofocus onClick={close}>
            {texts.keep}
          </Button>
        </>
      )}
    </Dialog>
  );
}

/** A button that takes back a cancellation or a planned change. */
export function ResumeSubscription({ team }: Pick<CancelProps, 'team'>) {
  const { busy, outcome, run } = useAction();
  return (
    <>
      <Button
        kind="primary"
        busy={busy}
        onClick={() =>
          void run(async () => {
            await hearth.subscription.resume(team === undefined ? {} : { team });
            refreshManaged(team);
          })
        }
      >
        {billingTexts().cancel.resume}
      </Button>
      <Message outcome={outcome} />
    </>
  );
}
