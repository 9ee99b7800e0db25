/**
 * A TypeScript file that cannot be compiled. The thread of the application gets its members, but not its class: compare the
 * name.
 */
export class TransformError extends SyntaxError {
  override readonly name = 'TransformError'
  /** The file, with the line and the column if they are known: `/music/src/albums.ts:3:5`. Null if the reason is not in the file. */
  readonly location: string | null

  constructor(message: string, location: string | null) {
    super(message)
    this.location = location
  }
}
