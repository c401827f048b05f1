import { expect, it } from 'vitest';
import { arrivalMessage } from './message.ts';

const TEAMS = [{ id: 'embers', name: 'Embers & Co', role: 'member' as const }];

it.each([
  ['message=welcome&team=embers', 'Welcome to Embers & Co! You are now a member.'],
  ['message=welcome&team=another', undefined],
  ['message=welcome', undefined],
  ['message=invitation-rejected', 'You declined the invitation.'],
  ['message=Call+this+number', undefined],
  ['message=constructor', undefined],
  ['invitation=0a1b', 'You are invited. Accept or decline below.'],
  ['invitation=0a1b&message=welcome&team=embers', 'Welcome to Embers & Co! You are now a member.'],
  ['', undefined],
])('greets an arrival with ?%s by %j', (query, expected) => {
  expect(arrivalMessage(new URLSearchParams(query), TEAMS)).toBe(expected);
});
