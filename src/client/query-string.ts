/** What a query may have at run time. The types of the client say what it may have for one type. */
export interface AnyQuery {
  readonly include?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>
  readonly filter?: Readonly<Record<string, unknown>>
  readonly sort?: readonly string[]
  readonly page?: Readonly<Record<string, unknown>>
  readonly count?: readonly string[]
}

/** Returns the query string with its question mark; empty if the query has nothing. */
export function queryString({ include, fields, filter, sort, page, count }: AnyQuery): string {
  const parameters = new URLSearchParams()
  const list = (name: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) parameters.append(name, values.join(','))
  }
  list('include', include)
  for (const [type, names] of Object.entries(fields ?? {})) list(`fields[${type}]`, names)
  for (const [key, value] of Object.entries(filter ?? {})) addValue(parameters, `filter[${key}]`, value)
  list('sort', sort)
  for (const [key, value] of Object.entries(page ?? {})) addValue(parameters, `page[${key}]`, value)
  list('withCount', count)
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Lists have one parameter for each value, since a value may have the delimiter. */
function addValue(parameters: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (Array.isArray(value)) for (const each of value) parameters.append(`${name}[]`, String(each))
  else if (typeof value === 'object') {
    for (const [key, bound] of Object.entries(value)) addValue(parameters, `${name}[${key}]`, bound)
  } else parameters.append(name, String(value))
}
