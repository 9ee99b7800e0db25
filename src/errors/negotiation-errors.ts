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
