import type {
  Contract,
  GroupsContract,
  PageChoice,
  PageContract,
  RelationContract,
  TypeContract,
} from '../contract/contract.js'
import { offeredSorts } from '../contract/listed-keys.js'
import { relationsFor } from '../contract/relation-uses.js'
import { collectionPath } from '../openapi/type-operations.js'
import { exportMediaTypes } from '../../declare/resource/parts/export.js'
import type { ServedOperation } from '../../declare/resource/replies/responses.js'
import { filterTable } from './filter-table.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { anchorOf, code, commaList, prose, table } from './prose.js'
import type { SectionNames } from './type-list.js'
import { targetList } from './type-list.js'

/** Returns the section of a type: its endpoints, relations, filters, sorts, include paths, pages and limits. */
export function typeSection(contract: Contract, type: TypeContract, names: SectionNames): Html {
  const isListed = type.operations.includes('FetchCollection')
  return html`<section class="type-section" id="${anchorOf(type.type)}" aria-labelledby="${anchorOf(type.type)}-name">
<h3 id="${anchorOf(type.type)}-name">${type.type}</h3>
${type.description === null ? nothing : html`<p>${prose(type.description)}</p>`}
<dl class="facts">
${facts(contract, type).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${relationTable(type, names)}
${isListed ? filterTable(contract, type) : nothing}
</section>
`
}

type Fact = readonly [name: string, value: Html]

function facts({ prefix, limits }: Contract, type: TypeContract): readonly Fact[] {
  const sorts = Object.keys(type.sorts)
  const isListed = type.operations.includes('FetchCollection')
  const isRead = isListed || type.operations.includes('FetchOne')
  return [
    ['Endpoints', endpoints(prefix, type)],
    ...(type.groupsOf === null ? [] : [['Groups', groupWords(type.groupsOf)] as const]),
    ...aggregateFact(type),
    ...(type.exportFormats.length > 0 ? [['Exports', exportWords(type)] as const] : []),
    ...(isListed && sorts.length > 0 ? [['Sorts', sortWords(type)] as const] : []),
    ...(isRead ? [['Include', includeWords(type)] as const] : []),
    ...(isListed ? [['Pages', pageWords(type.page)] as const] : []),
    ...(isRead ? [['Limits', limitWords(limits, type, isListed)] as const] : []),
  ]
}

const methodsOf: Readonly<Record<ServedOperation, readonly [method: string, suffix: string]>> = Object.freeze({
  FetchCollection: ['GET, QUERY', ''],
  Create: ['POST', ''],
  FetchOne: ['GET, QUERY', '/{id}'],
  Update: ['PATCH', '/{id}'],
  Upsert: ['PUT', '/{id}'],
  Delete: ['DELETE', '/{id}'],
})

function endpoints(prefix: string, type: TypeContract): Html {
  const path = `${prefix}${collectionPath(type)}`
  const { operations, actions } = type
  const all = [
    ...Object.entries(methodsOf)
      .filter(([operation]) => operations.includes(operation as ServedOperation))
      .map(([, [method, suffix]]) => `${method} ${path}${suffix}`),
    ...actions.map(({ methods, scope, path: segment }) => {
      return `${methods.join(', ')} ${path}${scope === 'resource' ? '/{id}' : ''}/-actions/${segment}`
    }),
  ]
  if (all.length === 0) return html`none: the type is related to others only`
  return html`<ul class="plain inline">${all.map((each) => html`<li>${code(each)}</li>`)}</ul>`
}

function computedFields(fields: Readonly<Record<string, string>>): Html {
  return commaList(Object.entries(fields).map(([name, text]) => code(name === text ? name : `${name} = ${text}`)))
}

/** Describes the groups of an aggregate, and how their fields are computed. */
function groupWords({ owner, groups, measures, minGroupSize }: GroupsContract): Html {
  const by = Object.keys(groups).length === 0 ? html`all together` : html`by ${computedFields(groups)}`
  const least = minGroupSize > 1 ? html`. Groups of fewer than ${String(minGroupSize)} are left out` : nothing
  return html`<a href="#${anchorOf(owner)}">${owner}</a> ${by}, with ${computedFields(measures)}${least}`
}

/** Returns links to the types of the groups. */
function aggregateFact({ aggregates }: TypeContract): readonly Fact[] {
  const types = Object.values(aggregates).map((type) => html`<a href="#${anchorOf(type)}">${type}</a>`)
  return types.length === 0 ? [] : [['Aggregates', commaList(types)]]
}

function exportWords({ exportFormats, exportRows }: TypeContract): Html {
  const mediaTypes = exportFormats.map((format) => code(exportMediaTypes[format]))
  return html`${commaList(mediaTypes)}, at most ${String(exportRows)} rows`
}

function sortWords(type: TypeContract): Html {
  const { defaultSort } = type
  const keys = offeredSorts(type).map(([key, { isConditional }]) =>
    !isConditional ? code(key) : html`${code(key)} <span class="mark">(only for some callers)</span>`,
  )
  const usual = defaultSort.length === 0 ? nothing : html`. Default: ${code(defaultSort.join(','))}`
  return html`${commaList(keys)}${usual}`
}

function includeWords({ includes }: TypeContract): Html {
  const { paths, hasMore } = includes
  if (paths.length === 0) return html`nothing`
  const usual = includes.default.length > 0 ? html`. Default: ${code(includes.default.join(','))}` : nothing
  return html`${commaList(paths.map(code))}${hasMore ? ', and longer paths' : nothing}${usual}`
}

const strategies = Object.freeze({
  page: 'by number',
  offset: 'by offset',
  fixed: 'of fixed size',
  cursor: 'by cursor',
})

function pageWords(page: PageContract | null): Html {
  if (page === null) return html`none: the whole collection is one document`
  const { isMenu, choices } = page
  const words = (choice: PageChoice): Html => {
    const { strategy, kind, keys } = choice
    const parameters = keys.map(({ key }) => code(`page[${key}]`))
    const selected = isMenu ? html`${code(`page[kind]=${kind}`)}: ` : nothing
    return html`${selected}${strategies[strategy]}, ${commaList(parameters)}, ${sizeWords(choice)}`
  }
  const [only] = choices
  if (choices.length === 1 && only !== undefined) return words(only)
  return html`<ul class="plain">${choices.map((choice) => html`<li>${words(choice)}</li>`)}</ul>`
}

function sizeWords({ strategy, size, maxSize }: PageChoice): string {
  if (strategy === 'fixed') return `${size} per page`
  return `${size} per page by default, ${maxSize > 0 ? `at most ${maxSize}` : 'without a maximum'}`
}

function limitWords({ filterValues, sortKeys }: Contract['limits'], type: TypeContract, isListed: boolean): Html {
  const { depth } = type.includes
  const limits = [
    depth > 0 ? `include paths of at most ${depth} relations` : 'include paths of any length',
    ...(isListed && Object.values(type.filters).some(({ shape }) => shape === 'set')
      ? [`at most ${filterValues} values in a filter`]
      : []),
    ...(isListed && Object.keys(type.sorts).length > 0 ? [`at most ${sortKeys} sort keys`] : []),
  ]
  return html`${limits.join('; ')}`
}

function relationTable(type: TypeContract, names: SectionNames): Html {
  const relations = relationsFor(type, 'shown')
  if (relations.length === 0) return nothing
  const includable = new Set(type.includes.paths)
  const rows = relations.map((relation) => [
    code(relation.name),
    targetList(relation, names),
    html`${relation.toMany ? 'many' : 'one'}`,
    html`${includable.has(relation.name) ? 'yes' : 'no'}`,
    relationPaths(relation),
    prose(relation.description ?? ''),
  ])
  return table('Relations', ['Name', 'Leads to', 'How many', 'Can be included', 'Paths', 'About'], rows)
}

function relationPaths({ path, uses }: RelationContract): Html {
  const paths = [
    ...(uses.includes('related') ? [code(`/{id}/${path}`)] : []),
    ...(uses.includes('relationship') ? [code(`/{id}/relationships/${path}`)] : []),
  ]
  return commaList(paths)
}
