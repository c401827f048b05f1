/** The users of the demonstration, and what each of them shows. */

const password = 'warm and bright';

export const ADA = {
  name: 'Ada Ember',
  email: 'ada@demo.example',
  password,
  shows: 'owner of Hearth Makers, which has the plan Pro',
};
export const BEN = {
  name: 'Ben Birch',
  email: 'ben@demo.example',
  password,
  shows: 'owner of Night Shift, admin of Hearth Makers',
};
export const CLEO = {
  name: 'Cleo Coal',
  email: 'cleo@demo.example',
  password,
  shows: 'invited to both teams',
};

export const DEMO_PEOPLE = [ADA, BEN, CLEO];
