/** Faults of the server itself that it can name. */
export const serverErrors = {
  APPLICATION_ERROR: {
    status: 500,
    title: 'Application error',
    detail: 'The server could not handle the request.',
    source: ['none'],
    context: [],
    feature: 'always',
    when: 'A request reaches the handler with a method that has no operation, or without a target.',
  },
  NO_RESOURCE_REGISTERED: {
    status: 500,
    title: 'Resource type is not registered',
    detail: "The server has no resource type '{type}'.",
    source: ['none'],
    context: ['type'],
    feature: 'always',
    when: 'The server meets an object of a type that is not registered.',
  },
  RESPONSE_BODY_INVALID_JSON: {
    status: 500,
    title: 'Response body is not valid JSON',
    detail: 'The server produced a response body that is not valid JSON.',
    source: ['none'],
    context: [],
    feature: 'developmentValidators',
    when: 'The development validator of responses cannot decode the body.',
  },
  RESPONSE_BODY_INVALID_JSON_API: {
    status: 500,
    title: 'Response body is not a valid JSON:API document',
    detail: 'The server produced a response body that is not a valid JSON:API document: {message}.',
    source: ['none', 'pointer'],
    context: ['message'],
    feature: 'developmentValidators',
    when: 'The development validator of responses finds a violation; one error for each.',
  },
} as const
