/** A query at run time. The types of the client define which members it may have for one type. */
export interface AnyQuery {
  readonly include?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>
  readonly filter?: Readonly<Record<string, FilterValue>>
  readonly sort?: readonly string[]
  readonly page?: Readonly<Record<string, FilterValue>>
  readonly count?: readonly string[]
}

type Scalar = string | number | boolean
type FilterValue = Scalar | readonly Scalar[] | readonly FilterNode[] | FilterNode | null | undefined

/** The bounds of a filter, or combined filters. */
interface FilterNode {
  readonly [Key: string]: FilterValue
}

/** Returns whether filters are combined by operators, which only a JSON query can express. A filter may have the name of an operator. */
export function hasOperators({ filter }: AnyQuery): boolean {
  const { and, or, not = '' } = filter ?? {}
  return [and, or, [not].flat()].some((nodes) => isList(nodes) && nodes.every((node) => typeof node === 'object'))
}

/** Returns a query as the JSON body of a request. https://ashlar.dev/profiles/filter-tree/ */
export function queryDocument({ include, fields, filter, sort, page, count }: AnyQuery): string {
  return JSON.stringify({ include, fields, filter, sort, page, withCount: count })
}

/** Returns the query string with its question mark; empty if there are no parameters. */
export function queryString({ include, fields = {}, filter, sort, page, count }: AnyQuery): string {
  const parameters = new URLSearchParams()
  const list = (name: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) parameters.append(name, values.join(','))
  }
  list('include', include)
  for (const [type, names] of Object.entries(fields)) list(`fields[${type}]`, names)
  addValue(parameters, 'filter', filter)
  list('sort', sort)
  addValue(parameters, 'page', page)
  list('withCount', count?.length === 0 ? undefined : count)
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Adds one parameter for each value of a list, because a value may contain the delimiter. An empty list matches nothing. */
function addValue(parameters: URLSearchParams, name: string, value: FilterValue): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'object') parameters.append(name, String(value))
  else if (isList(value))
    for (const each of value.length === 0 ? [''] : value) parameters.append(`${name}[]`, String(each))
  else for (const [key, bound] of Object.entries(value)) addValue(parameters, `${name}[${key}]`, bound)
}

/** A list of combined filters counts as one of values: it is never a part of a URL. */
function isList(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value)
}
