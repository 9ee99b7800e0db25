/** The endpoint of an extension, for a router of the caller's own. */
export interface ExtensionTarget {
  /** The URI of the extension. */
  readonly extension: string
}

/** What a request addresses, once the router has read its path. */
export interface Target {
  readonly type: string
  readonly id: string | null
  /** The relation's name; what names none is for the handler to refuse. */
  readonly relationship: string | null
  /** True for `/{type}/{id}/relationships/{rel}`, false for `/{type}/{id}/{rel}`. */
  readonly isRelationshipEndpoint: boolean
  /** The path segment of a custom action, for `/{type}/{id}/-actions/{path}` and, without an id, `/{type}/-actions/{path}`. */
  readonly action?: string
}
