import type { Round } from './load.ts';
import { MEMBERS, type Peer } from './peers.ts';
import { median, medianRatio } from './statistics.ts';

interface Measured extends Round {
  /** Processor time of the server for each request, in milliseconds. */
  cpuMs: number;
  /** Look-ups of users at Firebase Auth for each request. */
  lookUps: number;
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

/** Users whose sessions are read: each connection is one user, who asks again and again. */
const SESSION_USERS = 50;

/** Users that the rounds need: the members, and one for each invitation. */
export const usersFor = (rounds: number) => MEMBERS + rounds * INVITE.requests;

/** Results of one server by case, one for each round. */
export type Results = Map<Case, Measured[]>;

/** @param round from 0; each round invites other users */
export async function measureRound(peer: Peer, round: number, results: Results): Promise<void> {
  const { client } = peer;
  const measure = async (measured: Case, operation: (n: number) => Promise<unknown>) => {
    const operations = Array.from({ length: measured.requests }, (_, n) => () => operation(n));
    const lookUpsBefore = (await peer.lookUps?.()) ?? 0;
    const cpuBefore = peer.cpuMs();
    const result = await client.measure(operations, measured.atOnce);
    const cpuMs = (peer.cpuMs() - cpuBefore) / measured.requests;
    const lookUps = (((await peer.lookUps?.()) ?? 0) - lookUpsBefore) / measured.requests;
    results.set(measured, [...(results.get(measured) ?? []), { ...result, cpuMs, lookUps }]);
  };
  if (!peer.name.startsWith('better-auth'))
    await measure(HEALTH, () => client.succeed({ path: '/api/health' }));
  for (const sessions of [SESSION, SESSIONS])
    await measure(sessions, (n) => client.succeed(peer.session(n % SESSION_USERS)));

  const first = MEMBERS + round * INVITE.requests;
  const ids: string[] = [];
  const invite = async (n: number) => {
    const invited = await (peer.inviter ?? peer).client.succeed(peer.invite(peer.emailOf(first + n)));
    ids[n] = (JSON.parse(invited) as { id: string }).id;
  };
  if (peer.inviter === undefined) await measure(INVITE, invite);
  else for (let n = 0; n < INVITE.requests; n++) await invite(n);
  await measure(ACCEPT, (n) => client.succeed(peer.accept(first + n, ids[n] ?? '')));
  await measure(ACCEPTS, (n) => {
    const invited = ACCEPT.requests + n;
    return client.succeed(peer.accept(first + invited, ids[invited] ?? ''));
  });
  const { listMembers } = peer;
  if (listMembers !== undefined) await measure(LIST, listMembers);
}

/** @returns the rows of a Markdown table, with the medians of all rounds of the requests that both servers answered */
export function describeRequests(hearth: Results, name: string, other: Results): string[] {
  const cells = (results: Results, measured: Case): [string, string, string] => {
    const rounds = results.get(measured) ?? [];
    const of = (key: keyof Measured) => median(rounds.map((round) => round[key]));
    return [
      `${of('perSecond').toPrecision(3)} /s`,
      `${of('p50').toFixed(1)} / ${of('p99').toFixed(1)} ms`,
      `${of('cpuMs').toFixed(1)} ms`,
    ];
  };
  const ratio = (measured: Case, key: 'perSecond' | 'cpuMs') => {
    const [ours, theirs] = [hearth, other].map((results) =>
      (results.get(measured) ?? []).map((round) => round[key]),
    );
    return medianRatio(ours ?? [], theirs ?? []).toFixed(2);
  };
  const head = [
    `| request | Hearth | p50 / p99 | processor | ${name} | p50 / p99 | processor | rate, ratio | processor, ratio |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const rows = CASES.filter((measured) => other.has(measured)).map((measured) => {
    const values = [...cells(hearth, measured), ...cells(other, measured)];
    return `| ${[measured.name, ...values, ratio(measured, 'perSecond'), ratio(measured, 'cpuMs')].join(' | ')} |`;
  });
  return [...head, ...rows];
}

/** Look-ups of users at Firebase Auth for each request of the sessions. */
export function describeLookUps(hearth: Results): string {
  const rounds = [SESSION, SESSIONS].flatMap((measured) => hearth.get(measured) ?? []);
  const average = rounds.reduce((sum, { lookUps }) => sum + lookUps, 0) / rounds.length;
  return `Look-ups at Firebase Auth for each session: ${average.toFixed(3)}`;
}
