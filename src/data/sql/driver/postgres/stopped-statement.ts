/** Why a running statement was stopped. */
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
