import { MEMBERS, type Peer } from './peers.ts';
import type { Round } from './load.ts';
import { median, medianRatio } from './statistics.ts';

interface Measured extends Round {
  /** Processor time of the server for each request, in milliseconds. */
  cpuMs: number;
}

interface Case {
  name: string;
  requests: number;
  atOnce: number;
}

const HEALTH: Case = { name: '`/api/health`, 50 at once', requests: 1_000, atOnce: 50 };
const SESSION: Case = { name: 'session, 1 at a time', requests: 100, atOnce: 1 };
const SESSIONS: Case = { name: 'session, 50 at once', requests: 500, atOnce: 50 };
const ACCEPT: Case = { name: 'accept, 1 at a time', requests: 40, atOnce: 1 };
const ACCEPTS: Case = { name: 'accept, 20 at once', requests: 100, atOnce: 20 };
const INVITE: Case = { name: 'invite, 1 at a time', requests: ACCEPT.requests + ACCEPTS.requests, atOnce: 1 };
const LIST: Case = { name: 'list of 1,000 members', requests: 5, atOnce: 1 };

export const CASES = [HEALTH, SESSION, SESSIONS, INVITE, ACCEPT, ACCEPTS, LIST];

/** Users that the rounds need: the members, and one for each invitation. */
export const usersFor = (rounds: number) => MEMBERS + rounds * INVITE.requests;

/** Results of one server by case, one for each round. */
export type Results = Map<Case, Measured[]>;

/** @param round from 0; each round invites other users */
export async function measureRound(peer: Peer, round: number, results: Results): Promise<void> {
  const { client } = peer;
  const measure = async (measured: Case, operation: (n: number) => Promise<unknown>) => {
    const operations = Array.from({ length: measured.requests }, (_, n) => () => operation(n));
    const cpuBefore = peer.cpuMs();
    const result = await client.measure(operations, measured.atOnce);
    const cpuMs = (peer.cpuMs() - cpuBefore) / measured.requests;
    results.set(measured, [...(results.get(measured) ?? []), { ...result, cpuMs }]);
  };
  if (peer.name === 'Hearth') await measure(HEALTH, () => client.succeed({ path: '/api/health' }));
  for (const sessions of [SESSION, SESSIONS])
    await measure(sessions, (n) => client.succeed(peer.session(n % MEMBERS)));

  const first = MEMBERS + round * INVITE.requests;
  const ids: string[] = [];
  await measure(INVITE, async (n) => {
    const invited = await client.succeed(peer.invite(peer.emailOf(first + n)));
    ids[n] = (JSON.parse(invited) as { id: string }).id;
  });
  await measure(ACCEPT, (n) => client.succeed(peer.accept(first + n, ids[n] ?? '')));
  await measure(ACCEPTS, (n) => {
    const invited = ACCEPT.requests + n;
    return client.succeed(peer.accept(first + invited, ids[invited] ?? ''));
  });
  await measure(LIST, () => peer.listMembers());
}

/** @returns the rows of a Markdown table, with the medians of all rounds */
export function describeRequests(hearth: Results, betterAuth: Results): string[] {
  const cells = (results: Results, measured: Case): [string, string, string] => {
    const rounds = results.get(measured) ?? [];
    if (rounds.length === 0) return ['–', '–', '–'];
    const of = (key: keyof Measured) => median(rounds.map((round) => round[key]));
    return [
      `${of('perSecond').toPrecision(3)} /s`,
      `${of('p50').toFixed(1)} / ${of('p99').toFixed(1)} ms`,
      `${of('cpuMs').toFixed(1)} ms`,
    ];
  };
  const ratio = (measured: Case, key: 'perSecond' | 'cpuMs') => {
    const [ours, theirs] = [hearth, betterAuth].map((results) =>
      (results.get(measured) ?? []).map((round) => round[key]),
    );
    return theirs?.length === 0 ? '–' : medianRatio(ours ?? [], theirs ?? []).toFixed(2);
  };
  const head = [
    '| request | Hearth | p50 / p99 | processor | better-auth | p50 / p99 | processor | rate, ratio | processor, ratio |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const rows = CASES.map((measured) => {
    const values = [...cells(hearth, measured), ...cells(betterAuth, measured)];
    return `| ${[measured.name, ...values, ratio(measured, 'perSecond'), ratio(measured, 'cpuMs')].join(' | ')} |`;
  });
  return [...head, ...rows];
}
