/**
 * Set by the script that starts the stack: its children read a pipe from it as standard input and exit when the
 * pipe closes, even if the script was killed.
 */
export const LIFELINE_VARIABLE = 'LAUNCHER_LIFELINE';

/** Ends this process, with exit code 1, as soon as its standard input closes; does not keep it running by itself. */
export function endWithStdin(): void {
  process.stdin
    .on('end', () => process.exit(1))
    .resume()
    .unref();
}
