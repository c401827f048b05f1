/**
 * Set by the script that starts the stack: its child processes then hold a pipe of it as their standard input and
 * end when it closes, also when that script is killed and can stop nothing any more.
 */
export const LIFELINE_VARIABLE = 'LAUNCHER_LIFELINE';

/** Ends this process, with exit code 1, as soon as its standard input closes; does not keep it running by itself. */
export function endWithStdin(): void {
  process.stdin
    .on('end', () => process.exit(1))
    .resume()
    .unref();
}
