import type { Statement } from '../jsonapi/ledger.js'

/**
 * A statement of the text of the extension, which publishes no list: the ids are from this project. `times` is how many of the words
 * MUST, SHOULD and MAY of the text it covers.
 */
export interface AtomicStatement extends Statement {
  /** The requirement of the text, in the words of this project. */
  readonly states: string
}

type AtomicLedger = Readonly<Record<string, AtomicStatement>>

const must = (states: string) => ({ level: 'MUST', status: 'tested', states }) as const
const should = (states: string) => ({ level: 'SHOULD', status: 'tested', states }) as const
const may = (states: string) => ({ level: 'MAY', status: 'tested', states }) as const

const error = 'a failure is an error response'
const errorDocument = 'the response to a failure has a document with errors'

const linkage = {
  status: 'superseded',
  note: 'The result contains the new linkage, so that a client need not read it.',
} as const

/** https://jsonapi.org/ext/atomic/#document-structure */
const documentStatements = {
  'document-members': may('a document may have the top-level members of the format'),
  'document-data': must('a document has neither data nor included'),
  'document-operations': may('a document may have operations or results, one or more of them, and not both'),
  'document-errors': must('a document with operations or results has no errors'),
} as const satisfies AtomicLedger

/** https://jsonapi.org/ext/atomic/#operation-objects */
const operationStatements = {
  'operation-code': must('an operation has an op'),
  'operation-code-value': must('op is add, update or remove'),
  'operation-target': may('an operation may name its target by ref or by href, not by both'),
  'operation-ref': must('a ref has a type, an id or a lid, and for a relationship its name'),
  'operation-data': may('an operation may have data and meta'),
} as const satisfies AtomicLedger

/** https://jsonapi.org/ext/atomic/#result-objects */
const resultStatements = {
  'result-members': may('a result may have data and meta, or be empty'),
} as const satisfies AtomicLedger

/** https://jsonapi.org/ext/atomic/#processing */
const processingStatements = {
  'processing-post': must('requests with operations are POST'),
  'processing-order': must('operations are performed in their order'),
  'processing-atomic': {
    ...must('all operations are committed, or none'),
    times: 2,
  },
  'processing-200': must('a success with a document is 200'),
  'processing-results': must('the document of a success has results'),
  'processing-results-length': must('there are as many results as operations'),
  'processing-results-positions': must('each result has the position of its operation'),
  'processing-204': may('if all results are empty, the response may be 204'),
} as const satisfies AtomicLedger

/** https://jsonapi.org/ext/atomic/#processing-errors */
const errorStatements = {
  'errors-response': must('the response to a failure follows the format'),
  'errors-pointers': should('errors point into the document that was sent'),
} as const satisfies AtomicLedger

const creatingStatements = {
  'create-target': may('a new resource may name its collection'),
  'create-operation': must('a new resource is added, and its data is a resource object'),
  'create-type': must('the resource object must have a type'),
  'create-result-with-client-id': {
    ...may('if the client has sent the id and nothing else differs, the result may have the resource or be empty'),
    times: 2,
  },
  'create-result': {
    ...must('in all other cases the result has the new resource'),
    note: 'A type may declare another response, such as `noContent()`.',
  },
  'create-failure': must(error),
  'create-failure-document': should(errorDocument),
} as const satisfies AtomicLedger

const updatingStatements = {
  'update-target': {
    ...must('an update names its target by ref or href'),
    note: 'The type and the id in the data name the target too, so that a client need not send them twice.',
  },
  'update-operation': must('the op of an update is update'),
  'update-result-changed': must('if more has changed than was sent, the result has the resource'),
  'update-result': must('if nothing else has changed, the result has the resource or is empty'),
  'update-204': may('if all results are empty, the response may be 204'),
  'update-failure': must(error),
  'update-failure-document': should(errorDocument),
} as const satisfies AtomicLedger

const deletingStatements = {
  'delete-target': must('a deletion names its target by ref or href'),
  'delete-operation': must('the op of a deletion is remove'),
  'delete-result': must('the result of a deletion has no data'),
  'delete-204': may('if all results are empty, the response may be 204'),
  'delete-failure': must(error),
  'delete-failure-document': should(errorDocument),
} as const satisfies AtomicLedger

const toOneStatements = {
  'to-one-target': must('an operation names the relationship by ref or href'),
  'to-one-operation': must('the op update changes a to-one relationship'),
  'to-one-result': { ...must('the result of a change has no data'), ...linkage },
  'to-one-204': { ...may('if all results are empty, the response may be 204'), ...linkage },
  'to-one-failure': must(error),
  'to-one-failure-document': should(errorDocument),
} as const satisfies AtomicLedger

const toManyStatements = {
  'to-many-target': must('an operation names the relationship by ref or href'),
  'to-many-add': must('the op add adds members'),
  'to-many-replace': must('the op update replaces all members'),
  'to-many-remove': must('the op remove removes members'),
  'to-many-result': { ...must('the result of a change has no data'), ...linkage },
  'to-many-204': { ...may('if all results are empty, the response may be 204'), ...linkage },
  'to-many-failure': must(error),
  'to-many-failure-document': should(errorDocument),
} as const satisfies AtomicLedger

/** https://jsonapi.org/format/1.1/#extensions */
const mediaTypeStatements = {
  'media-type-request': must('a body whose media type names an unsupported extension is 415'),
  'media-type-accept': must('a client that accepts only unsupported extensions is 406'),
  'media-type-response': must('the media type of a response names the applied extensions'),
} as const satisfies AtomicLedger

export type AtomicStatementId =
  | keyof typeof creatingStatements
  | keyof typeof deletingStatements
  | keyof typeof documentStatements
  | keyof typeof errorStatements
  | keyof typeof mediaTypeStatements
  | keyof typeof operationStatements
  | keyof typeof processingStatements
  | keyof typeof resultStatements
  | keyof typeof toManyStatements
  | keyof typeof toOneStatements
  | keyof typeof updatingStatements

/** A section of the text. */
interface Section {
  readonly title: string
  readonly of: 'extension' | 'format'
  readonly address: string
  /** How often it contains MUST, SHOULD or MAY. */
  readonly words: number
  readonly ledger: AtomicLedger
}

const text = 'https://jsonapi.org/ext/atomic/'
const specific = `${text}#specific-operations`

export const sections: readonly Section[] = [
  {
    title: 'Media type',
    of: 'format',
    address: 'https://jsonapi.org/format/1.1/#content-negotiation-servers',
    // As far as it speaks of extensions.
    words: 3,
    ledger: mediaTypeStatements,
  },
  {
    title: 'Document structure',
    of: 'extension',
    address: `${text}#document-structure`,
    words: 4,
    ledger: documentStatements,
  },
  {
    title: 'Operation objects',
    of: 'extension',
    address: `${text}#operation-objects`,
    words: 5,
    ledger: operationStatements,
  },
  { title: 'Result objects', of: 'extension', address: `${text}#result-objects`, words: 1, ledger: resultStatements },
  { title: 'Processing', of: 'extension', address: `${text}#processing`, words: 9, ledger: processingStatements },
  {
    title: 'Processing errors',
    of: 'extension',
    address: `${text}#processing-errors`,
    words: 2,
    ledger: errorStatements,
  },
  { title: 'Creating resources', of: 'extension', address: specific, words: 8, ledger: creatingStatements },
  { title: 'Updating resources', of: 'extension', address: specific, words: 7, ledger: updatingStatements },
  { title: 'Deleting resources', of: 'extension', address: specific, words: 6, ledger: deletingStatements },
  { title: 'Updating to-one relationships', of: 'extension', address: specific, words: 6, ledger: toOneStatements },
  { title: 'Updating to-many relationships', of: 'extension', address: specific, words: 8, ledger: toManyStatements },
]
