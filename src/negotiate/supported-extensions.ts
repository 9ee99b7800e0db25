/** The extensions that one kind of route speaks: none on the ordinary ones, exactly one on the atomic route. */
export interface SupportedExtensions {
  readonly supported: readonly string[]
  /** The extension without which the route makes no sense; a request must name it in both headers. */
  readonly required?: string
}
