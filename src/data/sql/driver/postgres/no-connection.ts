/** Thrown where a pool gives no connection, whatever its reason: that is the cause. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'

  constructor(cause: unknown) {
    super('The pool gave no connection to PostgreSQL.', { cause })
  }
}
