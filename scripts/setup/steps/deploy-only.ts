/** Advice to deploy some parts of the project. */
export const deployOnly = (parts: string, projectId: string) =>
  `Run npm run deploy -- --project ${projectId} --only ${parts}`;

/**
 * Advice to deploy these functions also if they are deployed already. The Firebase CLI skips a function whose code,
 * settings and secrets are unchanged, unless `--only` names the function. So another deployment would not make what an
 * interrupted one has left out: the invoker, the schedule or the queue.
 */
export const deployNamed = (functions: readonly string[], projectId: string) => {
  const parts = functions.map((name) => `functions:${name}`).join(',');
  return `${deployOnly(parts, projectId)}. A deployment that does not name a function skips it if it is unchanged.`;
};
