/** The query parameters of a request that the response document depends on. */
export interface RequestQuery {
  /** The types with a sparse fieldset. */
  readonly fieldsets: readonly string[]
  /** The paths of `include`; `null` without the parameter. */
  readonly include: readonly string[] | null
}

/** Reads the query of a path. The last of several `include` parameters counts, and empty paths are ignored. */
export function requestQuery(path: string): RequestQuery {
  const mark = path.indexOf('?')
  const parameters = new URLSearchParams(mark === -1 ? '' : path.slice(mark + 1))
  const fieldsets = [...parameters.keys()].flatMap((name) => /^fields\[([^\]]+)\]$/.exec(name)?.[1] ?? [])
  const include = parameters.getAll('include').at(-1) ?? null
  return { fieldsets, include: include === null ? null : include.split(',').filter((name) => name !== '') }
}
