/** The extensions that one kind of route supports: none on the resource routes, exactly one on the atomic route. */
export interface SupportedExtensions {
  readonly supported: readonly string[]
  /** The extension that every request to the route must name, in both headers. */
  readonly required?: string
}

/** Returns the part of an error message that says which extensions a client may name. */
export function expectedExtensions({ required }: SupportedExtensions): string {
  return required === undefined ? 'supported extensions only' : `the extension ${required}`
}
