/** Why a statement is stopped that the database would have run on. */
export type StopReason = 'timeout' | 'cancelled'

const sentences: Readonly<Record<StopReason, string>> = {
  timeout: 'The statement took longer than the statement timeout allows.',
  cancelled: 'The client went away, and what it asked the database for was cancelled.',
}

/** Thrown in place of what the database says about it, since that is the same for both reasons. */
export class StoppedStatement extends Error {
  override readonly name = 'StoppedStatement'
  readonly reason: StopReason

  constructor(reason: StopReason, cause?: unknown) {
    super(sentences[reason], cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
