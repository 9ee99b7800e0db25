import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import { relationsFor } from '../contract/relation-uses.js'
import type { Html } from './html.js'
import { html, nothing } from './html.js'
import { commaList, typeLink } from './prose.js'

/** The names of the types that have a section. */
export type SectionNames = ReadonlySet<string>

/** Returns a list of the types of a server with their relations, as links to the sections of the types. */
export function typeList(types: readonly ServedType[], names: SectionNames): Html {
  return html`<ul class="types">
${types.map(
  (served) => html`<li>${typeLink(served.type.type)}${relationList(relationsFor(served, 'shown'), names)}</li>
`,
)}</ul>
`
}

function relationList(relations: readonly ServedRelation[], names: SectionNames): Html {
  if (relations.length === 0) return nothing
  return html`<ul class="plain">${relations.map(({ name, spec }) => {
    const many = spec.traits.toMany ? html`<span class="mark">many</span> ` : nothing
    return html`<li>${name} <span class="mark">→</span> ${many}${targetList(spec, names)}</li>`
  })}</ul>`
}

/** Returns the related types; the types that have a section are links. */
export function targetList({ targets }: ServedRelation['spec'], names: SectionNames): Html {
  return commaList(targets.map((target) => (names.has(target) ? typeLink(target) : html`${target}`)))
}
