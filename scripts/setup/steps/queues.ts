import deployedFunctions from '../../deployed-functions.json' with { type: 'json' };
import type { Finding, Step } from '../step.ts';
import { deployNamed } from './deploy-only.ts';

/** https://cloud.google.com/tasks/docs/reference/rest/v2/projects.locations.queues */
interface Queue {
  name: string;
  state?: string;
}

/** The names of the functions that a queue of Cloud Tasks calls. The Firebase CLI gives the queue the same name. */
const QUEUES: readonly string[] = Object.entries(deployedFunctions).flatMap(([name, { trigger }]) =>
  trigger === 'task queue' ? [name] : [],
);

/** Each queue exists and runs. Without its queue, the work of a function waits for the reconciliation. */
export const queuesStep: Step = {
  title: 'Queues',
  check: async ({ google, projectId, region }) => {
    const path = `cloudtasks.googleapis.com/v2/projects/${projectId}/locations/${region}/queues`;
    const queues = await google.list<Queue>(path, 'queues');
    const states = new Map(queues.map(({ name, state }) => [name.split('/').at(-1) ?? '', state]));
    const missing = QUEUES.filter((name) => !states.has(name));
    const stopped = QUEUES.filter((name) => states.has(name) && states.get(name) !== 'RUNNING');
    return [
      ...(missing.length === 0
        ? []
        : [
            {
              text: `Cloud Tasks has no queue for ${missing.join(', ')}.`,
              advice: deployNamed(missing, projectId),
            },
          ]),
      ...stopped.map((name): Finding => {
        const text = `The queue ${name} does not run (${states.get(name) ?? 'unknown'}).`;
        return {
          text,
          advice: `Run gcloud tasks queues resume ${name} --location ${region} --project ${projectId}`,
        };
      }),
    ];
  },
};
