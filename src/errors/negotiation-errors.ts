/** Media types. */
export const negotiationErrors = {
  MEDIA_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'Media type is not supported',
    detail:
      "The header {header} was '{mediaType}'. It must be application/vnd.api+json, with no parameters but ext and profile, and with supported extensions only.",
    source: ['header'],
    context: ['mediaType', 'header'],
    feature: 'write',
    when: 'The Content-Type of a request body is absent or another type, has a forbidden parameter, or names an unsupported extension.',
  },
  MEDIA_TYPE_UNACCEPTABLE: {
    status: 406,
    title: 'Media type is not acceptable',
    detail:
      "The header {header} was '{mediaType}'. It must accept application/vnd.api+json with no parameters but ext and profile, and with supported extensions only.",
    source: ['header'],
    context: ['mediaType', 'header'],
    feature: 'always',
    when: 'Every JSON:API instance in Accept has a forbidden parameter, or an unsupported extension is requested.',
  },
} as const
