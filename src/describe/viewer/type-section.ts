import type { DescribedServer } from '../openapi/described-server.js'
import { includePaths } from '../contract/include-paths.js'
import { relationsFor } from '../contract/relation-uses.js'
import { offeredSorts } from '../contract/offered-keys.js'
import { collectionPath } from '../openapi/type-operations.js'
import { choicesOf, pageKeyNames } from '../../declare/pagination/choose-paginator.js'
import type { AnyPaginator, Paginator } from '../../declare/pagination/paginator.js'
import { primaryVocabulary } from '../../serve/read/query/query-vocabulary.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ServedOperation } from '../../declare/resource/replies/responses.js'
import { filterTable } from './filter-table.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { anchorOf, code, commaList, prose, table } from './prose.js'
import type { SectionNames } from './type-list.js'
import { targetList } from './type-list.js'

/** Returns the section of a type: its endpoints, relations, filters, sorts, include paths, pages and limits. */
export function typeSection(server: DescribedServer, served: ServedType, names: SectionNames): Html {
  const { type } = served
  const isListed = type.operations.has('FetchCollection')
  return html`<section class="type-section" id="${anchorOf(type.type)}" aria-labelledby="${anchorOf(type.type)}-name">
<h3 id="${anchorOf(type.type)}-name">${type.type}</h3>
${type.description === null ? nothing : html`<p>${prose(type.description)}</p>`}
<dl class="facts">
${facts(server, served).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${relationTable(server, served, names)}
${isListed ? filterTable(served, server.maxFilterValues) : nothing}
</section>
`
}

type Fact = readonly [name: string, value: Html]

function facts(server: DescribedServer, served: ServedType): readonly Fact[] {
  const { type, paginator } = served
  const sorts = Object.keys(type.sorts)
  const isListed = type.operations.has('FetchCollection')
  const isRead = isListed || type.operations.has('FetchOne')
  return [
    ['Endpoints', endpoints(server, served)],
    ...(isListed && sorts.length > 0 ? [['Sorts', sortWords(served)] as const] : []),
    ...(isRead ? [['Include', includeWords(server, served)] as const] : []),
    ...(isListed ? [['Pages', pageWords(paginator)] as const] : []),
    ...(isRead ? [['Limits', limitWords(server, served, isListed)] as const] : []),
  ]
}

const methodsOf: Readonly<Record<ServedOperation, readonly [method: string, suffix: string]>> = Object.freeze({
  FetchCollection: ['GET', ''],
  Create: ['POST', ''],
  FetchOne: ['GET', '/{id}'],
  Update: ['PATCH', '/{id}'],
  Upsert: ['PUT', '/{id}'],
  Delete: ['DELETE', '/{id}'],
})

function endpoints({ prefix }: DescribedServer, served: ServedType): Html {
  const path = `${prefix}${collectionPath(served)}`
  const { operations, actions } = served.type
  const all = [
    ...Object.entries(methodsOf)
      .filter(([operation]) => operations.has(operation as ServedOperation))
      .map(([, [method, suffix]]) => `${method} ${path}${suffix}`),
    ...actions.map(({ methods, scope, path: segment }) => {
      return `${methods.join(', ')} ${path}${scope === 'resource' ? '/{id}' : ''}/-actions/${segment}`
    }),
  ]
  if (all.length === 0) return html`none: the type is related to others only`
  return html`<ul class="plain inline">${all.map((each) => html`<li>${code(each)}</li>`)}</ul>`
}

function sortWords(served: ServedType): Html {
  const { sorts, defaultSort } = served.type
  const keys = offeredSorts(primaryVocabulary(served), served.paginator).map((key) =>
    sorts[key]?.usableIf === null ? code(key) : html`${code(key)} <span class="mark">(only for some callers)</span>`,
  )
  const usual = defaultSort.length === 0 ? nothing : html`. Default: ${code(defaultSort.join(','))}`
  return html`${commaList(keys)}${usual}`
}

function includeWords({ maxIncludeDepth }: DescribedServer, served: ServedType): Html {
  const { paths, hasMore } = includePaths([served], maxIncludeDepth)
  if (paths.length === 0) return html`nothing`
  const { defaultIncludes } = served.type
  const usual =
    Array.isArray(defaultIncludes) && defaultIncludes.length > 0
      ? html`. Default: ${code(defaultIncludes.join(','))}`
      : nothing
  return html`${commaList(paths.map(code))}${hasMore ? ', and longer paths' : nothing}${usual}`
}

const strategies = Object.freeze({
  page: 'by number',
  offset: 'by offset',
  fixed: 'of fixed size',
  cursor: 'by cursor',
})

function pageWords(paginator: AnyPaginator | null): Html {
  if (paginator === null) return html`none: the whole collection is one document`
  const choices = choicesOf(paginator)
  const words = (choice: Paginator): Html => {
    const { strategy, kind, keys } = choice
    const parameters = pageKeyNames[strategy].map((name) => code(`page[${keys[name]}]`))
    const selected = paginator.strategy === 'menu' ? html`${code(`page[kind]=${kind}`)}: ` : nothing
    return html`${selected}${strategies[strategy]}, ${commaList(parameters)}, ${sizeWords(choice)}`
  }
  const [only] = choices
  if (choices.length === 1 && only !== undefined) return words(only)
  return html`<ul class="plain">${choices.map((choice) => html`<li>${words(choice)}</li>`)}</ul>`
}

function sizeWords({ strategy, size, maxSize }: Paginator): string {
  if (strategy === 'fixed') return `${size} per page`
  return `${size} per page by default, ${maxSize > 0 ? `at most ${maxSize}` : 'without a maximum'}`
}

function limitWords(server: DescribedServer, { type }: ServedType, isListed: boolean): Html {
  const depth = type.maxIncludeDepth ?? server.maxIncludeDepth
  const limits = [
    depth > 0 ? `include paths of at most ${depth} relations` : 'include paths of any length',
    ...(isListed && Object.values(type.filters).some(({ shape }) => shape === 'set')
      ? [`at most ${server.maxFilterValues} values in a filter`]
      : []),
    ...(isListed && Object.keys(type.sorts).length > 0 ? [`at most ${server.maxSortKeys} sort keys`] : []),
  ]
  return html`${limits.join('; ')}`
}

function relationTable(server: DescribedServer, served: ServedType, names: SectionNames): Html {
  const relations = relationsFor(served, 'shown')
  if (relations.length === 0) return nothing
  const includable = new Set(includePaths([served], server.maxIncludeDepth).paths)
  const rows = relations.map((relation) => [
    code(relation.name),
    targetList(relation.spec, names),
    html`${relation.spec.traits.toMany ? 'many' : 'one'}`,
    html`${includable.has(relation.name) ? 'yes' : 'no'}`,
    relationPaths(relation),
    prose(relation.spec.description ?? ''),
  ])
  return table('Relations', ['Name', 'Leads to', 'How many', 'Can be included', 'Paths', 'About'], rows)
}

function relationPaths({ uriName, hasRelatedEndpoint, hasRelationshipEndpoint }: ServedRelation): Html {
  const paths = [
    ...(hasRelatedEndpoint ? [code(`/{id}/${uriName}`)] : []),
    ...(hasRelationshipEndpoint ? [code(`/{id}/relationships/${uriName}`)] : []),
  ]
  return commaList(paths)
}
