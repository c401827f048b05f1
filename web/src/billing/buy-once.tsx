import { hearth } from '../backend/hearth.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';

interface BuyOnceProps {
  /** Slug of a plan or credit pack. */
  item: string;
  label: string;
  /** The team that pays; the user if there is none. */
  team: string | undefined;
}

/** A link to the page where something is paid once. */
export function BuyOnce({ item, label, team }: BuyOnceProps) {
  const { busy, outcome, run } = useAction();
  return (
    <>
      <Button
        busy={busy}
        onClick={() =>
          void run(async () => {
            location.assign(await hearth.billing.purchase({ item, ...(team !== undefined && { team }) }));
          })
        }
      >
        {label}
      </Button>
      <Message outcome={outcome} />
    </>
  );
}
