/**
 * Limits of the rules language, from https://firebase.google.com/docs/firestore/security/rules-structure. Where the
 * official compiler is known to admit one more than documented, so does this one.
 */
export const MAX_SOURCE_BYTES = 256 * 1024;
export const MAX_MATCH_DEPTH = 10;
export const MAX_PATTERN_SEGMENTS = 100;
export const MAX_CAPTURES = 20;
/** Documented as 20; a chain of 21 functions compiles. */
export const MAX_CALL_STACK = 21;
export const MAX_PARAMETERS = 7;
/** Documented as 10; 11 compile. */
export const MAX_LET_BINDINGS = 11;
/** Levels of parentheses, operators, list and map items and arguments around an expression. */
export const MAX_NESTING = 99;
/** Expressions that one request may evaluate. */
export const MAX_EXPRESSIONS = 1000;
/** Documents that `get`, `exists` and the like may read for one operation; those read before do not count. */
export const MAX_DOCUMENT_READS = 10;
/** The same for all operations of a batched write, a transaction or a request for several documents. */
export const MAX_DOCUMENT_READS_OF_SEVERAL = 20;
/** The same for `firestore.get` and `firestore.exists` in Storage rules. */
export const MAX_DOCUMENT_READS_FROM_STORAGE = 2;
