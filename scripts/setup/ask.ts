import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks one question. A hidden answer is not shown while it is typed. */
export type Ask = (question: string, options: { hidden: boolean; fallback?: string }) => Promise<string>;

/** Asks in the terminal. */
export const askTerminal: Ask = async (question, { hidden, fallback }) => {
  const silent = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const prompt = `${question}${fallback === undefined ? '' : ` [${fallback}]`}: `;
  if (hidden) process.stdout.write(prompt);
  const terminal = createInterface({
    input: process.stdin,
    output: hidden ? silent : process.stdout,
    terminal: true,
  });
  try {
    return (await terminal.question(hidden ? '' : prompt)).trim();
  } finally {
    terminal.close();
    if (hidden) process.stdout.write('\n');
  }
};
