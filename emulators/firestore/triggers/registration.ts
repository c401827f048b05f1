import { invalidArgument } from '../errors.ts';
import { exactPath, pathPattern } from './path-pattern.ts';

export type ChangeKind = 'created' | 'updated' | 'deleted' | 'written';

/** A function that is called for certain changes. */
export interface Trigger {
  readonly key: string;
  readonly project: string;
  /** `projects/P/databases/D` */
  readonly database: string;
  readonly pattern: RegExp;
  readonly kind: ChangeKind;
  /** As the functions emulator named it. */
  readonly eventType: string;
  /** First generation functions are called with JSON, those of the second with CloudEvents. */
  readonly generation: 1 | 2;
  /** Whether the event names the author of the change. */
  readonly withAuthContext: boolean;
}

interface BackgroundDefinition {
  readonly eventTrigger?: { readonly eventType?: unknown; readonly resource?: unknown };
}

const V1_KINDS: Readonly<Record<string, ChangeKind>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  write: 'written',
};
const V1_RESOURCE = /^(projects\/[^/]+\/databases\/[^/@]+)\/documents(?:@[^/]*)?\/(.+)$/;

/** Reads what the functions emulator PUTs for a function of the first generation. Throws INVALID_ARGUMENT. */
export function parseBackgroundTrigger(project: string, key: string, body: unknown): Trigger {
  const { eventType, resource } = (body as BackgroundDefinition | null)?.eventTrigger ?? {};
  const kind = V1_KINDS[/document\.(\w+)$/.exec(textOf(eventType))?.[1] ?? ''];
  const match = V1_RESOURCE.exec(textOf(resource));
  if (!kind || match?.[1] === undefined || match[2] === undefined) {
    throw invalidArgument(
      `The trigger ${key} needs a Firestore eventType and a document pattern as resource.`,
    );
  }
  return {
    key,
    project,
    database: match[1],
    pattern: pathPattern(match[2]),
    kind,
    eventType: textOf(eventType),
    generation: 1,
    withAuthContext: false,
  };
}

interface EventarcDefinition {
  readonly eventType?: unknown;
  readonly database?: unknown;
  readonly document?: { readonly value?: unknown; readonly matchType?: unknown };
}

const V2_TYPE =
  /^google\.cloud\.firestore\.document\.v1\.(created|updated|deleted|written)(\.withAuthContext)?$/;

/** Reads what the functions emulator POSTs for a function of the second generation. Throws INVALID_ARGUMENT. */
export function parseEventarcTrigger(project: string, key: string, body: unknown): Trigger {
  const { eventType, database, document } = (body as EventarcDefinition | null) ?? {};
  const match = V2_TYPE.exec(textOf(eventType));
  const value = textOf(document?.value);
  if (!match || value === '') {
    throw invalidArgument(`The trigger ${key} needs a Firestore eventType and a document.`);
  }
  return {
    key,
    project,
    database: `projects/${project}/databases/${textOf(database) || '(default)'}`,
    pattern: document?.matchType === 'PATH_PATTERN' ? pathPattern(value) : exactPath(value),
    kind: match[1] as ChangeKind,
    eventType: textOf(eventType),
    generation: 2,
    withAuthContext: match[2] !== undefined,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
