import { HearthError } from '@hearth/client';
import { useEffect, useState } from 'react';

/** The answer of the backend, and a function that requests it again. */
export function useAnswer<Answer>(request: (signal: AbortSignal) => Promise<Answer>, key: string) {
  const [answer, setAnswer] = useState<Answer>();
  const [failure, setFailure] = useState<string>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    request(controller.signal).then(setAnswer, (error: unknown) => {
      if (!controller.signal.aborted) setFailure(messageOf(error));
    });
    return () => {
      controller.abort();
    };
    // `key` names the request; the function itself is a new one each time.
  }, [key, round]);
  const again = () => {
    setFailure(undefined);
    setRound(round + 1);
  };
  return { answer, failure, again };
}

/** The message of a refusal is written for people. */
export function messageOf(error: unknown): string {
  return error instanceof HearthError ? error.message : 'Something went wrong. Please try again.';
}
