/** Thrown if a pool cannot provide a connection. The error of the pool is the cause. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'

  constructor(cause: unknown) {
    super('The pool could not provide a connection to PostgreSQL.', { cause })
  }
}

/** Thrown if a prepared statement returns other columns than before. It must be prepared again. */
export class StalePlan extends Error {
  override readonly name = 'StalePlan'

  constructor() {
    super('A prepared statement returns other columns than it was prepared with.')
  }
}

/** Thrown if PostgreSQL refuses the role or a setting of the option `session`. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused'

  constructor(cause: unknown) {
    super("PostgreSQL refused the role or a setting that the option 'session' of sqlData() returned.", { cause })
  }
}

/** The reason why a running statement was stopped. */
export type StopReason = 'timeout' | 'cancelled'

const sentences: Readonly<Record<StopReason, string>> = {
  timeout: 'The statement took longer than the statement timeout allows.',
  cancelled: 'The client disconnected, and its statement was cancelled.',
}

/** Thrown instead of the error of the database, which is the same for both reasons. */
export class StoppedStatement extends Error {
  override readonly name = 'StoppedStatement'
  readonly reason: StopReason

  constructor(reason: StopReason, cause?: unknown) {
    super(sentences[reason], cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
