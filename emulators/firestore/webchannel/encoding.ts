import { invalidArgument } from '../errors.ts';

/** One chunk of a response: its length in UTF-16 code units, as the client's language counts, and the text. */
export const frame = (text: string): string => `${text.length}\n${text}`;

/** The messages of one forward request, numbered through the life of the channel. */
export interface ForwardBody {
  readonly firstId: number;
  /** JSON texts. */
  readonly messages: readonly string[];
  /** Headers that the client moved into the body, so that browsers need not ask before the request. */
  readonly headers: ReadonlyMap<string, string>;
}

const MAX_MESSAGES = 1_000;

/** Reads `headers=…&count=2&ofs=5&req0___data__=…&req1___data__=…`. Throws INVALID_ARGUMENT. */
export function parseForwardBody(text: string): ForwardBody {
  const parameters = new URLSearchParams(text);
  const count = Number(parameters.get('count') ?? 0);
  const firstId = Number(parameters.get('ofs') ?? 0);
  if (!(count >= 0 && count <= MAX_MESSAGES) || !Number.isInteger(firstId)) {
    throw invalidArgument('The request counts its messages wrongly.');
  }
  const messages = Array.from({ length: count }, (_, index) => {
    const message = parameters.get(`req${index}___data__`);
    if (message === null) throw invalidArgument(`The request lacks its message ${index}.`);
    return message;
  });
  return { firstId, messages, headers: parseHeaders(parameters.get('headers')) };
}

/** Headers in one text, a line each; names in lower case. */
export const parseHeaders = (text: string | null): ReadonlyMap<string, string> =>
  new Map(
    (text ?? '')
      .split('\r\n')
      .map((line) => line.split(':'))
      .map(([name = '', ...value]) => [name.trim().toLowerCase(), value.join(':').trim()]),
  );
