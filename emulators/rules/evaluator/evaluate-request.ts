import type { Method, SyntaxTree } from '../ast.ts';
import { MissingDocument, type DocumentAccess } from '../documents.ts';
import { LimitError } from '../errors.ts';
import { branchesOf } from '../queries/branches.ts';
import { potentialDocument } from '../queries/potential-document.ts';
import type { Decision, RulesRequest } from '../request.ts';
import { NULL, type Value } from '../value.ts';
import { Attempt } from './attempt.ts';
import type { Facts } from './attempt.ts';
import { firestoreFunctions, storageFunctions, type DocumentFunctions } from './calls.ts';
import { denialText } from './denial.ts';
import type { PathSegment } from './match.ts';

const WRITES: readonly Method[] = ['create', 'update', 'delete', 'write'];

/**
 * The subject of an evaluation: a document, or the document that represents all that a branch of a query could
 * return.
 */
interface Subject {
  readonly path: readonly PathSegment[];
  readonly resource: Value;
}

/** Evaluates a request; see `Ruleset.evaluate`. */
export async function evaluateRequest(tree: SyntaxTree, request: RulesRequest): Promise<Decision> {
  let last: Decision = { allowed: true, message: '', outcomes: [] };
  for (const subject of subjectsOf(request)) {
    last = await evaluateSubject(tree, request, subject);
    if (!last.allowed) return last;
  }
  return last;
}

function subjectsOf({ query, path = [], resource = NULL }: RulesRequest): Subject[] {
  if (query === undefined) return [{ path, resource }];
  return branchesOf(query.where).map((branch) => potentialDocument(query, branch));
}

/** Repeats the evaluation with each document that it turns out to need. */
async function evaluateSubject(tree: SyntaxTree, request: RulesRequest, subject: Subject): Promise<Decision> {
  const { method, newResource, documents } = request;
  const facts: Facts = { ...subject, method, newResource, functions: functionsFor(request, documents) };
  const readsBefore = documents.reads;
  for (;;) {
    const attempt = new Attempt(tree, request, facts);
    try {
      const allowed = attempt.evaluate();
      return decide(attempt, allowed ? '' : denialText(tree, request, facts, attempt.outcomes));
    } catch (error) {
      if (!(error instanceof MissingDocument)) throw error;
      try {
        await documents.load(error, documents.reads - readsBefore);
      } catch (limit) {
        if (!(limit instanceof LimitError)) throw limit;
        attempt.stop(limit);
        return decide(attempt, denialText(tree, request, facts, attempt.outcomes));
      }
    }
  }
}

/** An empty message allows the request. */
function decide(attempt: Attempt, message: string): Decision {
  attempt.report();
  return { allowed: message === '', message, outcomes: attempt.outcomes };
}

function functionsFor({ service, method }: RulesRequest, documents: DocumentAccess): DocumentFunctions {
  return service === 'cloud.firestore'
    ? firestoreFunctions(documents, WRITES.includes(method))
    : storageFunctions(documents);
}
