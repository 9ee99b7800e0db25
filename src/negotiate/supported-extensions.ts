/** The extensions that one kind of route speaks: none on the ordinary ones, exactly one on the atomic route. */
export interface SupportedExtensions {
  readonly supported: readonly string[]
  /** The extension without which the route makes no sense; a request must name it in both headers. */
  readonly required?: string
}

/** What a client is told of the extensions that it may name. */
export function expectedExtensions({ required }: SupportedExtensions): string {
  return required === undefined ? 'supported extensions only' : `the extension ${required}`
}
