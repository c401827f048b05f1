import { guardOf } from '../authorize.ts';
import { toStatusError, unimplemented } from '../errors.ts';
import { listen } from '../listen/listen-stream.ts';
import type { BidirectionalHandler, Requests, Responses } from './handler.ts';
import type { Sender } from './sender.ts';
import { writeStream } from './write-stream.ts';

const bidirectionalMethods: Readonly<Record<string, BidirectionalHandler<never>>> = {
  Listen: listen,
  Write: writeStream,
};

/**
 * Opens a Listen or Write stream. `responses` hears of the stream's end once: by `end` or by `fail`, and of nothing
 * after that or after `cancel`.
 */
export function openStream(
  { context, caller }: Sender,
  method: string,
  responses: Responses,
): Requests<unknown> {
  const handler = bidirectionalMethods[method];
  if (!handler) throw unimplemented(method);
  let open = true;
  const closing = (then: () => void): void => {
    if (!open) return;
    open = false;
    stream.cancel();
    then();
  };
  const fail = (error: unknown): void => {
    closing(() => {
      responses.fail(toStatusError(error));
    });
  };
  const stream: Requests<never> = handler(
    { ...context, caller, guard: guardOf(context, caller) },
    {
      send: (message) => {
        if (open) responses.send(message);
      },
      end: () => {
        closing(() => {
          responses.end();
        });
      },
      fail,
    },
  );
  return {
    receive: (message) => {
      if (!open) return;
      try {
        stream.receive(message as never);
      } catch (error) {
        fail(error);
      }
    },
    end: () => {
      if (open) stream.end();
    },
    cancel: () => {
      closing(() => undefined);
    },
  };
}
