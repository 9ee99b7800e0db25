/** Errors of content negotiation. */
export const negotiationErrors = {
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'Media type is not supported',
    detail:
      "The header {header} was '{mediaType}'. It must be application/vnd.api+json, with no parameters but ext and profile, and with {extensions}.",
    source: ['header'],
    context: ['mediaType', 'header', 'extensions'],
    feature: 'write',
    when: 'The Content-Type of a request body is absent or another type, has a forbidden parameter, names an unsupported extension, or does not name the extension that the endpoint requires.',
  },
  QUERY_MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'Media type of the query is not supported',
    detail: "The header {header} of a QUERY request was '{mediaType}'. It must be {accepted}.",
    source: ['header'],
    context: ['mediaType', 'header', 'accepted'],
    feature: 'always',
    when: 'The Content-Type of a QUERY request is absent or another type. The response has the header `Accept-Query`.',
  },
  CONTENT_ENCODING_UNSUPPORTED: {
    status: 415,
    title: 'Content encoding is not supported',
    detail: "The header Content-Encoding was '{encoding}'. It must be one of {accepted}, or left out.",
    source: ['header'],
    context: ['encoding', 'accepted'],
    feature: 'write',
    when: 'The body has a content encoding that the server cannot decode, or several. The header Accept-Encoding lists the supported ones.',
  },
  PREFERENCE_NOT_SUPPORTED: {
    status: 400,
    title: 'Preference is not supported',
    detail: "The preference '{preference}' of the header Prefer is not applied to this request.",
    source: ['header'],
    context: ['preference'],
    feature: 'always',
    when: 'The header Prefer has `handling=strict` and a preference that does not apply to this request; or it has `tx=rollback`, the server has the setting `dryRun`, and the store of the rows has no transactions.',
  },
  HOST_NOT_ALLOWED: {
    status: 421,
    title: 'Host is not allowed',
    detail: "This server does not serve the host '{host}'.",
    source: ['header'],
    context: ['host'],
    feature: 'always',
    when: 'The setting `allowedHosts` does not list the host of the request.',
  },
  MEDIA_TYPE_UNACCEPTABLE: {
    status: 406,
    title: 'Media type is not acceptable',
    detail:
      "The header {header} was '{mediaType}'. It must accept application/vnd.api+json with no parameters but ext and profile, and with {extensions}.",
    source: ['header'],
    context: ['mediaType', 'header', 'extensions'],
    feature: 'always',
    when: 'Every JSON:API media type in Accept has a forbidden parameter or names an unsupported extension; or none of them names the extension that the endpoint requires.',
  },
} as const
