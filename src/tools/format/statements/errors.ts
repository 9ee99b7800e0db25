/** https://jsonapi.org/format/1.1/#errors */
export const errorStatements = {
  'error-stop-processing': {
    level: 'MAY',
    seen: 'permission',
    text: 'A server MAY choose to stop processing as soon as a problem is encountered, or it MAY continue processing and encounter multiple problems.',
  },
  'error-general': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'When a server encounters multiple problems for a single request, the most generally applicable HTTP error code SHOULD be used in the response.',
    needs: 'an error document with several errors',
  },
  'error-object-key': {
    level: 'MUST',
    seen: 'feature',
    text: 'Error objects MUST be returned as an array keyed by `errors` in the top level of a JSON:API document.',
    needs: 'an error document',
  },
  'error-object-members': {
    level: 'MAY',
    seen: 'feature',
    text: 'An error object MAY have the members `id`, `links`, `status`, `code`, `title`, `detail`, `source` and `meta`, with the values that are defined for each.',
    needs: 'an error document',
  },
  'error-object-some-member': {
    level: 'MUST',
    seen: 'feature',
    text: 'An error object MUST contain at least one of its members.',
    needs: 'an error document',
    source: 'text',
    since: '1.1',
  },
  'error-object-status': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'The `status` of an error object SHOULD be provided.',
    needs: 'an error document',
    source: 'text',
    since: '1.1',
  },
  'error-source-pointer': {
    level: 'MUST',
    seen: 'write',
    text: 'The `pointer` of the source of an error MUST point to a value in the request document that exists.',
    needs: 'an error document with a pointer',
    source: 'text',
    since: '1.1',
  },
} as const
