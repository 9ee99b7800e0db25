/** https://jsonapi.org/format/1.1/#query-parameters */
export const parameterStatements = {
  'query-parameters-non-alpha': {
    level: 'MUST',
    seen: 'feature',
    text: 'Implementation-specific query parameters MUST come from a family whose base name is a member name with at least one character other than a-z.',
    needs: 'links, or an OpenAPI document, with implementation-specific query parameters',
  },
  'query-parameters-under-camel': {
    level: 'RECOMMENDED',
    seen: 'feature',
    text: 'It is RECOMMENDED that a capital letter, "-" or "_" is used in the names of implementation-specific query parameters.',
    needs: 'links, or an OpenAPI document, with implementation-specific query parameters',
  },
  'query-parameters-bad-request': {
    level: 'MUST',
    seen: 'feature',
    text: 'A server MUST return `400 Bad Request` for a query parameter that does not follow the naming conventions, and that it does not know how to process as one of the specification.',
    needs: 'a URL with resources',
  },
  'square-brackets-unencoded': {
    level: 'SHOULD',
    seen: 'feature',
    text: 'Servers SHOULD accept requests in which the square brackets of query parameters are left unencoded.',
    needs: 'sparse fieldsets that the server supports',
    source: 'text',
    since: '1.1',
  },
} as const
