/** Thrown where a prepared statement answers other columns than it did before: it must be prepared anew. */
export class StalePlan extends Error {
  override readonly name = 'StalePlan'

  constructor() {
    super('A prepared statement answers other columns than it was prepared with.')
  }
}
