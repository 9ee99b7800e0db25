/** Thrown if a prepared statement returns other columns than before. It must be prepared again. */
export class StalePlan extends Error {
  override readonly name = 'StalePlan'

  constructor() {
    super('A prepared statement returns other columns than it was prepared with.')
  }
}
