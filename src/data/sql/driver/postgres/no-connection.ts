/** Thrown if a pool cannot provide a connection. The error of the pool is the cause. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'

  constructor(cause: unknown) {
    super('The pool could not provide a connection to PostgreSQL.', { cause })
  }
}
