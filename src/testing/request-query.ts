/** What the query of a request says about the document that answers it. */
export interface RequestQuery {
  /** The types that have a fieldset. */
  readonly fieldsets: readonly string[]
  /** What is to be included; `null` without the parameter. */
  readonly include: readonly string[] | null
}

/** Reads the query of a path. The last of several values counts, and what has no name says nothing. */
export function requestQuery(path: string): RequestQuery {
  const mark = path.indexOf('?')
  const parameters = new URLSearchParams(mark === -1 ? '' : path.slice(mark + 1))
  const fieldsets = [...parameters.keys()].flatMap((name) => /^fields\[([^\]]+)\]$/.exec(name)?.[1] ?? [])
  const include = parameters.getAll('include').at(-1) ?? null
  return { fieldsets, include: include === null ? null : include.split(',').filter((name) => name !== '') }
}
