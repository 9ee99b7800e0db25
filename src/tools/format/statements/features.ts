/** Statements about features that an OpenAPI document announces, and JSON:API itself does not have. */
export const featureStatements = {
  'query-equivalent': {
    level: 'MUST',
    seen: 'feature',
    text: 'A `QUERY` request responds with the resources of a `GET` request whose URL has the same query.',
    needs: 'an OpenAPI document with `QUERY` requests',
    source: 'openapi',
  },
  'query-media-type': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'A `QUERY` request with an unknown media type gets `415 Unsupported Media Type`.',
    needs: 'an OpenAPI document with `QUERY` requests',
    source: 'http',
  },
  'query-accept-query': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'The response 415 to a `QUERY` request has the known media types in `Accept-Query`.',
    needs: 'a response 415 to a `QUERY` request',
    source: 'http',
  },
  'filter-odd-texts': {
    level: 'MUST',
    seen: 'feature',
    text: 'A filter finds resources or refuses its value, whatever text a client sends: quotation marks, minus signs and wildcards are no error of the server.',
    needs: 'an OpenAPI document with filters',
    source: 'http',
  },
  'export-complete': {
    level: 'MUST',
    seen: 'feature',
    text: 'An export is not cut off, and each of its lines is a row.',
    needs: 'an OpenAPI document with exports of collections',
    source: 'openapi',
  },
  'export-columns': {
    level: 'MUST',
    seen: 'feature',
    text: 'The rows of an export have the id and the fields of the fieldset, and no others.',
    needs: 'an OpenAPI document of Ashlar with exports of collections',
    source: 'openapi',
  },
  'upsert-create': {
    level: 'MUST',
    seen: 'write',
    text: 'A `PUT` request to the address of a new resource creates it: `201 Created`, or 204 without a document.',
    needs: 'an OpenAPI document with `PUT` requests that create resources',
    source: 'http',
  },
  'upsert-update': {
    level: 'MUST',
    seen: 'write',
    text: 'The same `PUT` request again updates the resource: 200, or 204 without a document.',
    needs: 'an OpenAPI document with `PUT` requests that create resources',
    source: 'http',
  },
} as const
