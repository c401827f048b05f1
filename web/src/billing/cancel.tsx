import type { CancelReason } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, Select, textOf } from '../ui/form.tsx';
import { Message } from '../ui/message.tsx';

const REASONS: readonly (readonly [CancelReason, string])[] = [
  ['other', 'Another reason'],
  ['too_expensive', 'It is too expensive'],
  ['missing_features', 'Something is missing'],
  ['switched_service', 'I use something else now'],
  ['unused', 'I do not use it enough'],
  ['customer_service', 'The support'],
  ['too_complex', 'It is too complicated'],
  ['low_quality', 'The quality'],
];

interface CancelProps {
  /** The team that pays; the user if there is none. */
  team: string | undefined;
  /** When the paid period ends, as text. */
  end: string;
}

/** A button that cancels a subscription. The dialog asks for the reason. */
export function CancelSubscription({ team, end }: CancelProps) {
  return (
    <Dialog label="Cancel the subscription" title="Cancel the subscription" kind="danger">
      {(close) => (
        <>
          <p>
            {end === '' ? 'It ends at once.' : `It ends on ${end}. Until then everything stays as it is.`}
          </p>
          <Form
            submit="Cancel the subscription"
            onSubmit={async (data) => {
              const reason = REASONS.find(([value]) => value === textOf(data, 'reason'))?.[0];
              const comment = textOf(data, 'comment').trim();
              await hearth.subscription.cancel(
                { ...(reason !== undefined && { reason }), ...(comment !== '' && { comment }) },
                team === undefined ? {} : { team },
              );
              close();
            }}
          >
            <Select label="Reason" name="reason" options={REASONS} />
            <Field label="Comment" name="comment" maxLength={500} />
          </Form>
          <Button autofocus onClick={close}>
            Keep the subscription
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
          })
        }
      >
        Resume the subscription
      </Button>
      <Message outcome={outcome} />
    </>
  );
}
