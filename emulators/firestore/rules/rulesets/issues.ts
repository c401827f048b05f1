import type { Issue } from '@hearth/security-rules/issue';

/** An issue as the Firebase CLI reads it: `prettyPrintRulesIssue` in its `emulator/firestoreEmulator.js`. */
export const issueMessage = ({ severity, line, column, message }: Issue): object => ({
  sourcePosition: { line, column },
  severity: severity.toUpperCase(),
  description: message,
});

/** An issue as the Firebase CLI prints it. */
export const issueText = (file: string, { severity, line, column, message }: Issue): string =>
  `${file}:${line}:${column} - ${severity.toUpperCase()} ${message}`;
