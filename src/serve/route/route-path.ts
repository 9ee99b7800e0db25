import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DescribedRoute, RouteParameters } from './route-description.js'
import { isPossibleId } from './route-table.js'

/**
 * Returns the path of a route with its parameters. Throws a `TypeError` if one is missing, is not a parameter of the route, or
 * has an invalid value.
 */
export function routePath({ description, type }: DescribedRoute, parameters: RouteParameters): string {
  const { name, path } = description
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
  const unknown = Object.keys(parameters).find((parameter) => !wanted.includes(parameter))
  if (unknown !== undefined)
    throw new TypeError(`The route '${name}' has no parameter '${unknown}': its path is ${path}.`)
  return path.replaceAll(/\{(\w+)\}/g, (_, parameter: keyof RouteParameters) => {
    const value = parameters[parameter]
    if (typeof value !== 'string' || type === null) {
      throw new TypeError(`The route '${name}' needs the parameter '${parameter}': its path is ${path}.`)
    }
    return encodeURIComponent(parameter === 'id' ? checkedId(type, value) : relationSegment(type, value))
  })
}

function checkedId(type: CompiledType, id: string): string {
  // Clients remove the segments `.` and `..` from a URL, encoded or not.
  if (id !== '' && !/^\.{1,2}$/.test(id) && isPossibleId(type, id)) return id.toWellFormed()
  throw new TypeError(`The type '${type.type}' has no resource with the id '${id}': no path matches it.`)
}

function relationSegment({ type, relations }: CompiledType, name: string): string {
  const relation = relations.find((each) => each.name === name)
  if (relation !== undefined) return relation.uriName
  const known = relations.map((each) => `'${each.name}'`).join(', ')
  throw new TypeError(`The type '${type}' has no relation '${name}'. Its relations are ${known}.`)
}
