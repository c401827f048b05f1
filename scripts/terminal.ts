/** The line of a request, printed by the server of the function `api`. */
export function requestLine({
  method,
  path,
  status,
  milliseconds,
}: {
  method: string;
  path: string;
  status: number;
  milliseconds: number;
}): string {
  return `${method} ${path} ${status} ${Math.round(milliseconds)} ms`;
}

/** A structured log line, see functions/src/common/log.ts. */
interface LogLine {
  severity: string;
  message: string;
  route?: unknown;
  cause?: unknown;
}

/** Lines that the programs print even in their quiet mode, and that nobody needs. */
const NOISE = new RegExp(
  [
    /^\s*$/,
    /^The API listens\.$/,
    /^\[hosting\] Rewriting /,
    /functions: (Loaded environment variables from|Using node@)/,
    /emulators: (Received SIG|Please wait for a clean shutdown|Shutting down)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Printed by the CLI after the errors of a rules file. */
const RULES_FAILED = /Failed to update rules$/;

/**
 * The form in which the terminal shows a line of a program: a structured log line as its severity and message, any
 * other as it is.
 *
 * @returns undefined for a line that nobody needs
 */
export function terminalLine(line: string): string | undefined {
  if (NOISE.test(line)) return undefined;
  if (RULES_FAILED.test(line)) return 'The rules were not updated. The last good ones are still in force.';
  const log = structured(line.replace(/^>\s+/, ''));
  if (log === undefined) return line;
  // The line of the request shows the same with its path.
  if (log.route !== undefined) return undefined;
  const cause = typeof log.cause === 'string' ? `\n${log.cause}` : '';
  return `${log.severity} ${log.message}${cause}`;
}

function structured(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(line) as Partial<LogLine>;
    return typeof value.severity === 'string' && typeof value.message === 'string'
      ? (value as LogLine)
      : undefined;
  } catch {
    return undefined;
  }
}
