import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Section } from './components.js'

/** The names of the components that every document has. No type gets one of them. */
export const sharedNames: readonly string[] = Object.freeze([
  'JsonApi',
  'Meta',
  'MetaDocument',
  'Link',
  'Links',
  'LinkObject',
  'DocumentLinks',
  'PaginationLinks',
  'RelationshipLinks',
  'Error',
  'ErrorSource',
  'ErrorDocument',
  'RootDocument',
  'Included',
])

/** The names of the components of a type begin with its base name and end with one of these. */
const typeSuffixes: readonly string[] = Object.freeze([
  'Resource',
  'ResourceIdentifier',
  'Filter',
  'CombinedFilter',
  'Attributes',
  'CreateAttributes',
  'UpdateAttributes',
  'CreateRequest',
  'UpdateRequest',
  'Document',
  'Collection',
  'SingularDocument',
  'ActionRequest',
  'ActionCollection',
  'Included',
  'AtomicAdd',
  'AtomicUpdate',
  'AtomicIdentifier',
  'AtomicToOne',
  'AtomicToMany',
  'AtomicToOneRef',
  'AtomicAddMembersRef',
  'AtomicUpdateMembersRef',
  'AtomicRemoveMembersRef',
])

const relationSuffixes: readonly string[] = Object.freeze([
  'Relationship',
  'RelationshipDocument',
  'RelationshipRequest',
  'RelationshipAddition',
  'RelationshipRemoval',
  'RelatedDocument',
  'RelatedCollection',
  'Filter',
  'CombinedFilter',
])

/** Gives components their names. The same requests in the same order give the same names. */
export interface ComponentNames {
  /** Returns the base name of a type: `public-profiles` becomes `PublicProfiles`. */
  ofType(type: string): string
  ofRelation(type: string, relation: string): string
  ofEnumeration(name: string, schema: JsonSchema): string
  /**
   * Returns a name for a component that several operations may have: the wanted name, or that name with a number if another component has
   * it. Equal components have one name.
   */
  ofContent(section: Section, wanted: string, component: JsonSchema): string
  /** Returns the name of the pages of one kind. Types whose pages differ, such as in their largest size, have separate components. */
  ofPage(kind: string, schema: JsonSchema): string
}

/** @param reserved names that no type, relation or enumeration gets */
export function componentNames(reserved: readonly string[]): ComponentNames {
  const taken = new Set<string>(reserved)
  const bases = new Map<string, string>()
  const allocated = (wanted: string, suffixes: readonly string[]): string => {
    let base = wanted
    for (let count = 2; suffixes.some((suffix) => taken.has(base + suffix)); count += 1) base = `${wanted}${count}`
    for (const suffix of suffixes) taken.add(base + suffix)
    return base
  }
  const baseOf = (key: string, wanted: () => string, suffixes: readonly string[]): string => {
    const known = bases.get(key) ?? allocated(wanted(), suffixes)
    bases.set(key, known)
    return known
  }
  const ofType = (type: string): string => baseOf(type, () => pascalCase(type), typeSuffixes)
  return {
    ofType,
    ofRelation: (type, relation) =>
      baseOf(`${type}\n${relation}`, () => ofType(type) + pascalCase(relation), relationSuffixes),
    ofEnumeration: (name, schema) =>
      baseOf(`enumeration\n${name}\n${JSON.stringify(schema)}`, () => pascalCase(name), ['']),
    ofContent(section, wanted, component) {
      const key = `content\n${section}\n${wanted}\n${JSON.stringify(component)}`
      if (section === 'schemas') return baseOf(key, () => wanted, [''])
      // Only schemas have other components whose names are not known in advance.
      return baseOf(key, () => `${section}/${wanted}`, ['']).slice(section.length + 1)
    },
    ofPage: (kind, schema) => baseOf(`page\n${JSON.stringify(schema)}`, () => `PageBy${pascalCase(kind)}`, ['']),
  }
}

/** Returns the words of a name, each with a capital letter: `blog-post` becomes `BlogPost`. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  return joined === '' ? 'Unnamed' : joined
}
