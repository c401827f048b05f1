import { EvaluationError, LimitError } from './errors.ts';
import { MAX_DOCUMENT_READS } from './limits.ts';
import { map, path as pathValue, string, type MapValue, type PathValue, type Value } from './value.ts';

/** Whether a document is read as stored, or as it would be after the writes of the request. */
export type ReadTime = 'before' | 'after';

/**
 * Reads a document's data for `get`, `exists`, `getAfter` and `existsAfter`; undefined when there is none.
 * The path starts with `databases`.
 */
export type DocumentReader = (path: PathValue, when: ReadTime) => Promise<MapValue | undefined>;

/**
 * Ends an evaluation that needs a document which has not been read yet. The document is read and the evaluation
 * repeated.
 */
export class MissingDocument extends Error {
  override readonly name = 'MissingDocument';
  readonly path: PathValue;
  readonly when: ReadTime;

  constructor(path: PathValue, when: ReadTime) {
    super('document not read yet');
    this.path = path;
    this.when = when;
  }
}

/**
 * The documents that one request has read. The operations of a batch share an instance, so that a document is read,
 * billed and counted once: `new DocumentAccess(read, MAX_DOCUMENT_READS_OF_SEVERAL)`.
 */
export class DocumentAccess {
  readonly #read: DocumentReader;
  readonly #limit: number;
  readonly #documents = new Map<string, MapValue | undefined>();

  constructor(read: DocumentReader, limit: number = MAX_DOCUMENT_READS) {
    this.#read = read;
    this.#limit = limit;
  }

  /** How many documents were read. */
  get reads(): number {
    return this.#documents.size;
  }

  /**
   * The document as a rule sees it. Throws a MissingDocument until it has been read. Throws an EvaluationError if it
   * does not exist, as production does. The reference says that it is null.
   */
  get(target: PathValue, when: ReadTime): MapValue {
    const data = this.#data(target, when);
    if (data === undefined) {
      throw new EvaluationError(
        `Service call error. Function: [get], Argument: [/${target.segments.join('/')}].`,
      );
    }
    return resource(target, data);
  }

  exists(target: PathValue, when: ReadTime): boolean {
    return this.#data(target, when) !== undefined;
  }

  #data(target: PathValue, when: ReadTime): MapValue | undefined {
    const documentPath = checkedPath(target);
    const key = keyOf(documentPath, when);
    if (!this.#documents.has(key)) throw new MissingDocument(documentPath, when);
    return this.#documents.get(key);
  }

  /** Reads a missing document. Throws a LimitError if the request has reached its limit of reads. */
  async load({ path, when }: MissingDocument, readsOfOperation: number): Promise<void> {
    const limit = this.reads >= this.#limit ? this.#limit : MAX_DOCUMENT_READS;
    if (this.reads >= this.#limit || readsOfOperation >= MAX_DOCUMENT_READS) {
      throw new LimitError(
        `Unable to evaluate the expression as the maximum of ${limit} document access calls has been reached.`,
      );
    }
    this.#documents.set(keyOf(path, when), await this.#read(path, when));
  }
}

/** A stored document as `resource` and `get()` show it. */
export function resource(target: PathValue, data: Value): MapValue {
  return map({ data, id: string(target.segments.at(-1) ?? ''), __name__: pathValue(target.segments) });
}

function checkedPath(target: PathValue): PathValue {
  const [databases, , documents, ...rest] = target.segments;
  const isDocument = databases === 'databases' && documents === 'documents' && rest.length > 0;
  if (!isDocument || rest.length % 2 !== 0) {
    throw new EvaluationError(`Not the path of a document: /${target.segments.join('/')}.`);
  }
  return target;
}

const keyOf = (target: PathValue, when: ReadTime): string => JSON.stringify([when, ...target.segments]);
