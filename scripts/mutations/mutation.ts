/** A fault in the service that at least one test must detect. */
export interface Mutation {
  /** The fault that the changed line prevents. */
  guard: string;
  file: string;
  /** Text that occurs in the file once. */
  from: string;
  to: string;
  /** The test files that should fail. */
  tests: readonly string[];
  /** For a mutation that changes no behavior: the reason why no test can fail. */
  explanation?: string;
}

/** @throws Error when the text to change is not in the source exactly once */
export function mutate(source: string, { file, from, to }: Mutation): string {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}
