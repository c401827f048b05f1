/** The users of the demonstration, and what each of them shows. */

const password = 'warm and bright';

export const ADA = {
  name: 'Ada Ember',
  email: 'ada@demo.example',
  password,
  shows: 'owner of Day Shift, which pays for a plan if one is for teams',
};
export const BEN = {
  name: 'Ben Birch',
  email: 'ben@demo.example',
  password,
  shows: 'owner of Night Shift, admin of Day Shift',
};
export const CLEO = {
  name: 'Cleo Coal',
  email: 'cleo@demo.example',
  password,
  shows: 'invited to both teams',
};

export const DEMO_PEOPLE = [ADA, BEN, CLEO];
