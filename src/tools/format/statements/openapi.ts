/** Statements about the responses of a server and its OpenAPI document. */
export const openapiStatements = {
  'openapi-document': {
    level: 'MUST',
    seen: 'feature',
    text: 'The OpenAPI document is JSON with `paths`, and its references lead somewhere.',
    needs: 'an OpenAPI document',
    source: 'openapi',
  },
  'openapi-operations': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'Every address that the server links to is described.',
    needs: 'an OpenAPI document',
    source: 'openapi',
  },
  'openapi-status': {
    level: 'MUST',
    seen: 'feature',
    text: 'The status of a successful response is described.',
    needs: 'an OpenAPI document',
    source: 'openapi',
  },
  'openapi-errors': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'The status of an error response is described, by itself or by `default`.',
    needs: 'an OpenAPI document',
    source: 'openapi',
  },
  'openapi-content-type': {
    level: 'MUST',
    seen: 'feature',
    text: 'The media type of a response is described.',
    needs: 'an OpenAPI document',
    source: 'openapi',
  },
  'openapi-headers': {
    level: 'MUST',
    seen: 'feature',
    text: 'A response has the headers that are described as required.',
    needs: 'an OpenAPI document with required headers',
    source: 'openapi',
  },
  'openapi-body': {
    level: 'MUST',
    seen: 'feature',
    text: 'The body of a response matches the schema that describes it.',
    needs: 'an OpenAPI document with schemas of responses',
    source: 'openapi',
  },
} as const
