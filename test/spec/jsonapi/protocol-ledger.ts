import type { Ledger } from './pointed-statement.js'
import { examined, may, must, should } from './pointed-statement.js'

const service = 'spec/what-the-service-does.test.ts'

/** https://jsonapi.org/format/1.1/#content-negotiation */
export const negotiationStatements = {
  'request-content-type': { level: 'MUST', stands: 'client', note: 'What a client does not say is 415.' },
  'request-accept': { level: 'MUST', stands: 'client', note: 'A client that asks for nothing else is 406.' },
  'response-ignore-parameters': {
    level: 'MUST',
    stands: 'client',
    note: 'Clients read the document, whatever its parameters.',
  },
  'response-content-type': {
    ...must(
      'every document has the media type; its only parameters are ext and profile',
      [service, 'is served JSON:API'],
      ['spec/testing-kit.test.ts', 'testClient()'],
    ),
    note: 'In 1.1 extensions and profiles that were applied are parameters.',
  },
  'response-unsupported-media-type': must('a body of another type, or with another parameter, is 415', [
    service,
    'a body of the type %j is 415',
  ]),
  'response-not-acceptable': must('a client that takes the media type only with other parameters is 406', [
    service,
    'Accept: %s is 406',
  ]),
} as const satisfies Ledger

/** https://jsonapi.org/format/1.1/#query-parameters */
export const parameterStatements = {
  'query-parameters-non-alpha': must(
    'a family of the application is a member name with more than small letters, or the server is not built',
    ['checks/profiles.test.ts', 'have families that JSON:API leaves to them'],
  ),
  'query-parameters-under-camel': {
    level: 'RECOMMENDED',
    stands: 'superseded',
    note: 'Names are for the application to choose.',
  },
  'query-parameters-bad-request': {
    ...must('a parameter that nobody knows is 400', ['spec/query-families.test.ts', 'an unrecognized family']),
    level: 'RECOMMENDED',
  },
} as const satisfies Ledger

/** https://jsonapi.org/format/1.1/#errors */
export const errorStatements = {
  'error-stop-processing': may('all problems of one kind are told at once', [
    'spec/fields.test.ts',
    'every violation of a document is reported together, with its pointer',
  ]),
  'error-general': should('errors of several statuses have the one that holds for all', [
    'errors/json-api-error.test.ts',
    '1h: the status of an error follows from its problems',
  ]),
  'error-object-key': must('errors are a list in errors', [
    'spec/errors.test.ts',
    'every failure on a JSON:API route is a document of the media type with an errors array',
  ]),
  'error-object-members': {
    ...examined('an error has the members of the format only', 'an unknown member of an error'),
    level: 'MAY',
  },
} as const satisfies Ledger
