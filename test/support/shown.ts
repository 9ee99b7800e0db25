interface Identified {
  readonly type: string
  readonly id: string
}

/** Resources or identifiers in short: `albums 1`. */
export function shown(resources: unknown): readonly string[] {
  const list = Array.isArray(resources) ? (resources as readonly Identified[]) : [resources as Identified]
  return list.map(({ type, id }) => `${type} ${id}`)
}

/** The links of a relationship that has both endpoints. */
export function relationshipLinks(resource: string, name: string): { readonly self: string; readonly related: string } {
  return {
    self: `http://localhost${resource}/relationships/${name}`,
    related: `http://localhost${resource}/${name}`,
  }
}
