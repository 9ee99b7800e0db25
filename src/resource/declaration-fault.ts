/** Something an author wrote that cannot mean anything: noted where it was written, reported by the build. */
export interface DeclarationFault {
  readonly problem: string
  readonly remedy: string
}
