/** Advice to deploy some parts of the project. */
export const deployOnly = (parts: string, projectId: string) =>
  `Run npm run deploy -- --project ${projectId} --only ${parts}`;
