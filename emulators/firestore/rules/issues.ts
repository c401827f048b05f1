import type { Issue } from '../../rules/issue.ts';

/** An issue as the Firebase CLI prints it (`prettyPrintRulesIssue` in its `emulator/firestoreEmulator.js`). */
export const issueMessage = ({ severity, line, column, message }: Issue): object => ({
  sourcePosition: { line, column },
  severity: severity.toUpperCase(),
  description: message,
});

/** `L3:7 ERROR Missing ";".` */
export const issueText = ({ severity, line, column, message }: Issue): string =>
  `L${line}:${column} ${severity.toUpperCase()} ${message}`;
