/** An invalid part of a declaration: recorded when the declaration is written, reported by the build. */
export interface DeclarationFault {
  readonly problem: string
  readonly remedy: string
}
