import type { RelationContract, TypeContract } from '../contract/contract.js'
import { relationsFor } from '../contract/relation-uses.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { commaList, typeLink } from './prose.js'

/** The names of the types that have a section. */
export type SectionNames = ReadonlySet<string>

/** Returns a list of the types of a server with their relations, as links to the sections of the types. */
export function typeList(types: readonly TypeContract[], names: SectionNames): Html {
  return html`<ul class="types">
${types.map(
  (type) => html`<li>${typeLink(type.type)}${relationList(relationsFor(type, 'shown'), names)}</li>
`,
)}</ul>
`
}

function relationList(relations: readonly RelationContract[], names: SectionNames): Html {
  if (relations.length === 0) return nothing
  return html`<ul class="plain">${relations.map((relation) => {
    const many = relation.toMany ? html`<span class="mark">many</span> ` : nothing
    return html`<li>${relation.name} <span class="mark">→</span> ${many}${targetList(relation, names)}</li>`
  })}</ul>`
}

/** Returns the related types; the types that have a section are links. */
export function targetList({ targets }: RelationContract, names: SectionNames): Html {
  return commaList(targets.map((target) => (names.has(target) ? typeLink(target) : html`${target}`)))
}
