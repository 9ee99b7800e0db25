import { fail } from '../../../core/errors/json-api-error.js'
import { offered } from '../../../core/errors/offered.js'
import { filteredKeys } from '../../operation/filter-tree.js'
import type { QueryParameters } from '../../operation/query-parameters.js'
import { pageKeys } from '../../../declare/pagination/choose-paginator.js'
import type { PageParameters } from '../../../declare/pagination/page-request.js'
import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import { visibilityOf } from '../../../declare/resource/fields/visible-field.js'
import { isFieldsetMember } from '../../../declare/resource/reading/selection.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { ReadContext, RequestServices } from '../read-context.js'

/** Refuses the query parameters of lists for a single resource, which cannot be filtered, sorted or paginated. */
export function refuseListQuery(query: QueryParameters): void {
  const { sort, page } = query
  if (sort.length > 0) fail('SORTING_UNSUPPORTED', {}, { source: { parameter: 'sort' } })
  const [key] = filteredKeys(query)
  if (key !== undefined) refuseFilter(key)
  if (page.size > 0) refuseParameter('page')
}

/** Refuses a filter where none is offered. */
export function refuseFilter(key: string): never {
  const details = { filter: key, offered: offered([]) }
  fail('FILTERING_UNRECOGNIZED', details, { source: { parameter: `filter[${key}]` } })
}

/**
 * Refuses `include` if the response cannot have included resources. https://jsonapi.org/format/1.1/#fetching-includes
 */
export function refuseInclude({ include }: QueryParameters): void {
  if (include !== null && include.length > 0) fail('INCLUSION_UNSUPPORTED', {}, { source: { parameter: 'include' } })
}

export function refuseParameter(param: string): never {
  fail('QUERY_PARAM_UNRECOGNIZED', { param, reason: '' }, { source: { parameter: param } })
}

/**
 * Refuses a key of `page` that the list does not read, if the server has strict pages. Values are not checked: a
 * malformed one means the default.
 */
export function checkPageKeys(
  page: PageParameters,
  paginator: AnyPaginator | null,
  { strictPages }: Pick<RequestServices, 'strictPages'>,
  parameter = 'page',
): void {
  if (!strictPages || page.size === 0) return
  const read = pageKeys(paginator)
  const unread = [...page.keys()].find((key) => !read.includes(key))
  if (unread === undefined) return
  const param = `${parameter}[${unread}]`
  const reason = `. Offered: ${offered(read.map((key) => `${parameter}[${key}]`))}`
  fail('QUERY_PARAM_UNRECOGNIZED', { param, reason }, { source: { parameter: param } })
}

export function refuseCount(names: readonly string[]): never {
  fail('RELATIONSHIP_COUNT_NOT_ALLOWED', { names: names.join(', ') }, { source: { parameter: 'withCount' } })
}

/** Refuses fieldsets with members that their type does not declare, if the server has strict fieldsets. */
export function checkFieldsets({
  query,
  context,
  services,
}: Pick<ReadContext, 'query' | 'context' | 'services'>): void {
  if (!services.strictFieldsets) return
  for (const [type, members] of query.fields) {
    const served = services.find(context.server, type)
    const unknown = [...members].filter((name) => served === null || !isFieldsetMember(served, name))
    if (unknown.length === 0) continue
    const details = {
      type,
      members: unknown.join(', '),
      offered: served === null ? unknownType(type, context, services) : offered(visibleMembers(served, context)),
    }
    fail('FIELDSET_MEMBER_UNRECOGNIZED', details, { source: { parameter: 'fields' } })
  }
}

/** Refuses `withLinkage` if it names a relationship whose linkage cannot be requested. */
export function checkRequestedLinkage(request: Pick<ReadContext, 'query' | 'context' | 'services'>): void {
  const { query, context, services } = request
  for (const [type, names] of query.withLinkage) {
    const served = services.find(context.server, type)
    const relations = [...(served?.relations.values() ?? [])]
    const allowed = relations.filter((relation) => mayRequestLinkage(relation, context)).map(({ name }) => name)
    const refused = [...names].filter((name) => !allowed.includes(name))
    if (refused.length === 0) continue
    const details = {
      type,
      names: refused.join(', '),
      offered: served === null ? unknownType(type, context, services) : offered(allowed),
    }
    fail('RELATIONSHIP_LINKAGE_NOT_ALLOWED', details, { source: { parameter: `withLinkage[${type}]` } })
  }
}

function mayRequestLinkage({ spec, readBy, storage }: ServedRelation, context: RequestContext): boolean {
  if (visibilityOf(spec, context) === 'hidden') return false
  return storage.kind === 'ownKey' || (readBy !== 'none' && spec.linkage !== 'onlyWhenIncluded')
}

/** Refuses `withLinkage` if the response shows no relationships. */
export function refuseLinkage({ withLinkage }: QueryParameters): void {
  const [type] = withLinkage.keys()
  if (type !== undefined) refuseParameter(`withLinkage[${type}]`)
}

/** Returns the text of an error message for an unknown type, with the types that exist. */
function unknownType(
  type: string,
  { server }: RequestContext,
  services: Pick<ReadContext['services'], 'typeNames'>,
): string {
  return `nothing, because there is no type '${type}'. Types: ${offered(services.typeNames(server))}`
}

/** Returns the members of a type that the caller may see. */
function visibleMembers(served: ServedType, context: RequestContext): readonly string[] {
  const { attributes, relations, attributeNamed } = served.type
  const isVisibleMember = ({ spec }: { readonly spec: FieldSpec }): boolean => visibilityOf(spec, context) !== 'hidden'
  const declared = (served.serializer === null ? attributes : []).filter(isVisibleMember).map(({ name }) => name)
  const serialized = (served.serializer?.members ?? []).filter((name) => {
    const attribute = attributeNamed.get(name)
    return attribute === undefined || isVisibleMember(attribute)
  })
  return [...declared, ...serialized, ...relations.filter(isVisibleMember).map(({ name }) => name)]
}

/**
 * Refuses the query parameters for resources, if the response shows no resources: an operation must not run while a
 * parameter of its request is ignored.
 */
export function refuseResourceQuery(request: Pick<ReadContext, 'query' | 'context' | 'services'>): void {
  const { query } = request
  checkFieldsets(request)
  refuseListQuery(query)
  refuseInclude(query)
  refuseLinkage(query)
}
