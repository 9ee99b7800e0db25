import type { Ledger } from './pointed-statement.js'
import { examined, may, must, should } from './pointed-statement.js'

const service = 'spec/service-overview.test.ts'

/** https://jsonapi.org/format/1.1/#content-negotiation */
export const negotiationStatements = {
  'request-content-type': {
    level: 'MUST',
    status: 'client',
    note: 'The server responds 415 to a body of another media type.',
  },
  'request-accept': {
    level: 'MUST',
    status: 'client',
    note: 'The server responds 406 if every JSON:API media type in `Accept` has other parameters.',
  },
  'response-ignore-parameters': {
    level: 'MUST',
    status: 'client',
    note: 'Clients must read the document with any parameters of the media type.',
  },
  'response-content-type': {
    ...must(
      'every document has the media type; its only parameters are ext and profile',
      [service, 'is served JSON:API'],
      ['spec/testing-kit.test.ts', 'testClient()'],
    ),
    note: 'In 1.1 the parameters name the applied extensions and profiles.',
  },
  'response-unsupported-media-type': must('a body with another media type, or with another parameter, is 415', [
    service,
    'a body of the type %j is 415',
  ]),
  'response-not-acceptable': must('a client that accepts the media type only with other parameters is 406', [
    service,
    'Accept: %s is 406',
  ]),
} as const satisfies Ledger

/** https://jsonapi.org/format/1.1/#query-parameters */
export const parameterStatements = {
  'query-parameters-non-alpha': must(
    'the name of a parameter family of the application is a member name that is not only lowercase letters; otherwise the build fails',
    ['checks/profiles.test.ts', 'must have families that JSON:API allows'],
  ),
  'query-parameters-under-camel': {
    level: 'RECOMMENDED',
    status: 'superseded',
    note: 'The application chooses the names.',
  },
  'query-parameters-bad-request': {
    ...must('an unknown parameter is 400', ['spec/query-families.test.ts', 'an unrecognized family']),
    level: 'RECOMMENDED',
  },
} as const satisfies Ledger

/** https://jsonapi.org/format/1.1/#errors */
export const errorStatements = {
  'error-stop-processing': may('all problems of one kind are reported in one response', [
    'spec/fields.test.ts',
    'every violation of a document is reported together, with its pointer',
  ]),
  'error-general': should('a response with errors of several statuses has the general status of all of them', [
    'errors/json-api-error.test.ts',
    '1h: the status of an error follows from its problems',
  ]),
  'error-object-key': must('the member errors is a list', [
    'spec/errors.test.ts',
    'every failure on a JSON:API route is a document of the media type with an errors array',
  ]),
  'error-object-members': {
    ...examined('an error has only the members of the format', 'an unknown member of an error'),
    level: 'MAY',
  },
  'error-source-pointer': {
    level: 'MUST',
    times: 0,
    status: 'superseded',
    summary:
      'an error about a missing member points to where the member should be; every other pointer leads to a value of the request',
    by: [['spec/fields.test.ts', 'required() must be present and not empty on create, and not empty on update']],
    note: 'The text of 1.1 has it, and not the list. Clients find the field of a form by the pointer. `ashlar verify` warns of it, for every server.',
  },
} as const satisfies Ledger
