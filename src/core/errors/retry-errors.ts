/** Errors of requests with the headers `Idempotency-Key` and `Read-After`. */
export const retryErrors = {
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    title: 'Idempotency key is not valid',
    detail:
      'The header {header} must have one key of 1 to {limit} printable ASCII characters, in double quotes or without them: {message}.',
    source: ['header'],
    context: ['header', 'limit', 'message'],
    feature: 'idempotency',
    when: 'The key is empty, too long, has other characters, or there are several.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    title: 'Idempotency key is in use',
    detail: 'A request with the same {header} is still running. Try again later.',
    source: ['header'],
    context: ['header'],
    feature: 'idempotency',
    when: 'A request of the same caller with the same key has not ended yet. The response has a `Retry-After` header.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency key was used before',
    detail: 'The {header} was used for a request with another {difference}. Use a new key for each new request.',
    source: ['header'],
    context: ['header', 'difference'],
    feature: 'idempotency',
    when: 'The same caller has used the key for a request with another method, path, query or body.',
  },
  IDEMPOTENCY_KEYS_EXCEEDED: {
    status: 429,
    title: 'Too many idempotency keys',
    detail:
      'The limit of {limit} keys in the header {header} is reached. The first of them expires in {seconds} seconds. Requests without a key are not limited.',
    source: ['header'],
    context: ['header', 'limit', 'seconds'],
    feature: 'idempotency',
    when: 'The caller sends a new key, and has as many keys that have not expired as `idempotency.maxKeys` allows. Nothing was done. The response has a `Retry-After` header.',
  },
  READ_AFTER_INVALID: {
    status: 400,
    title: 'Position is not valid',
    detail:
      'The header {header} must have what an earlier response had in that header, or several of these, separated by commas.',
    source: ['header'],
    context: ['header'],
    feature: 'replicas',
    when: 'A server with read replicas gets a header `Read-After` with a value that it has not sent.',
  },
} as const
