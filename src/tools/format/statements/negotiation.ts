/** https://jsonapi.org/format/1.1/#content-negotiation */
export const negotiationStatements = {
  'request-content-type': {
    level: 'MUST',
    seen: 'client',
    text: 'Clients MUST send JSON:API documents with the header `Content-Type: application/vnd.api+json`, without media type parameters other than `ext` and `profile`.',
  },
  'request-accept': {
    level: 'MUST',
    seen: 'client',
    text: 'Clients that include the JSON:API media type in their `Accept` header MUST specify the media type there at least once without any media type parameters.',
  },
  'response-ignore-parameters': {
    level: 'MUST',
    seen: 'client',
    text: 'Clients MUST ignore parameters other than `ext` and `profile` in the `Content-Type` of responses.',
  },
  'response-content-type': {
    level: 'MUST',
    seen: 'read',
    text: 'Servers MUST send JSON:API documents with the header `Content-Type: application/vnd.api+json`, without media type parameters other than `ext` and `profile` (1.0: without any).',
  },
  'response-unsupported-media-type': {
    level: 'MUST',
    seen: 'write',
    text: 'Servers MUST respond with `415 Unsupported Media Type` if the `Content-Type` of a request is the JSON:API media type with any parameter other than `ext` and `profile` (1.0: with any parameter).',
    needs: 'a type that can be created',
  },
  'response-not-acceptable': {
    level: 'MUST',
    seen: 'read',
    text: 'Servers MUST respond with `406 Not Acceptable` if the `Accept` header has the JSON:API media type, and every instance of it is modified with a parameter other than `ext` and `profile` (1.0: with any parameter). Other instances MUST be used.',
  },
  'ext-unsupported-media-type': {
    level: 'MUST',
    seen: 'write',
    text: 'If the `ext` parameter of the `Content-Type` of a request contains an unsupported extension URI, the server MUST respond with `415 Unsupported Media Type`.',
    needs: 'a type that can be created',
    source: 'text',
    since: '1.1',
  },
  'ext-not-acceptable': {
    level: 'MUST',
    seen: 'read',
    text: 'If every instance of the JSON:API media type in the `Accept` header has the `ext` parameter with an unsupported extension URI, the server MUST respond with `406 Not Acceptable`.',
    source: 'text',
    since: '1.1',
  },
  'profile-unrecognized': {
    level: 'MUST',
    seen: 'feature',
    text: 'A server MUST ignore any profiles of the `Accept` header that it does not recognize.',
    needs: 'a server that declares version 1.1',
    source: 'text',
    since: '1.1',
  },
  'vary-accept': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'Servers that support the `ext` or `profile` parameters SHOULD specify the `Vary` header with `Accept` as one of its values.',
    needs: 'a response that applies an extension or a profile',
    source: 'text',
    since: '1.1',
  },
} as const
