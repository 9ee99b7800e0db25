import {
  reply,
  type AttributeKit,
  createServer,
  defineResource,
  id,
  model,
  noContent,
  type OpenApiDocument,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { compareContracts } from '../../src/tools/comparison/compare-contracts.js'
import type { Change } from '../../src/tools/comparison/compare/change.js'
import type { Contract } from '../../src/tools/comparison/model/contract.js'
import { contractDocument } from '../../src/tools/comparison/model/contract-document.js'
import { readContract } from '../../src/tools/comparison/model/read-contract.js'

/** Anything that a declaration or a server may be given: the cases of a table have different types. */
export type Members = Readonly<Record<string, unknown>>

/** The kit of attributes of any rows. */
export type Kit = AttributeKit<Record<string, never>>

/** Returns the contract of a server, read from its document as JSON has it. */
export function contractOf(settings: Members): Contract {
  return readContract(contractDocument(JSON.parse(documentOf(settings)), 'the document'))
}

/** Returns the document of a server as JSON. */
export function documentOf(settings: Members): string {
  return JSON.stringify(createServer({ data: memoryData(), ...(settings as { resources: [] }) }).openapi())
}

/** Declares a type of any rows. */
export function resource(type: string, members: Members = {}): unknown {
  return defineResource(type, { model: model(type), id: id(), ...members })
}

/** Returns the settings of a service with only albums. */
export function albums(members: Members = {}, settings: Members = {}): Members {
  return { resources: [resource('albums', members)], ...settings }
}

/** Declares an attribute, for types that need one. */
export function oneAttribute(a: Kit): Members {
  return { title: a.string() }
}

/** Returns the members of a type with an action. */
export function acting(options: object, members: Members = {}): Members {
  return {
    ...members,
    actions: (a: { resource: (given: object) => unknown }) => ({
      play: a.resource({ handle: () => reply.noContent(), responds: noContent(), ...options }),
    }),
  }
}

/** A part of a document that is changed. */
export type Loose = Record<string, any> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

/** Returns the settings of albums whose document is changed by hand. */
export function decorated(change: (document: Loose) => void, members: Members = {}): Members {
  const decorate = (document: OpenApiDocument): OpenApiDocument => {
    const copy = structuredClone(document)
    change(copy)
    return copy
  }
  return albums(members, { openapi: { decorate } })
}

/** Returns the settings of albums in whose document a text is replaced. */
export function replaced(text: string, by: string): Members {
  const decorate = (document: OpenApiDocument): OpenApiDocument =>
    JSON.parse(JSON.stringify(document).replaceAll(text, by)) as OpenApiDocument
  return albums({}, { openapi: { decorate } })
}

/** Returns the changes from one contract to another on the 15th of June 2026, without those of texts. */
export function changesFrom(before: Contract, after: Contract): readonly Change[] {
  return compareContracts(before, after, { now: new Date('2026-06-15') }).filter(({ code }) => code !== 'text-changed')
}

/** Returns a line for each change: `breaking member-removed albums.title`. */
export function linesOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ severity, code, place }) => `${severity} ${code} ${place}`)
}

/** The lines of the changes between two services, in both directions. */
export interface BothDirections {
  readonly forth: readonly string[]
  readonly back: readonly string[]
}

/** @param codes the codes of the changes that are returned. Default: all */
export function bothDirections(before: Members, after: Members, ...codes: readonly string[]): BothDirections {
  const [old, newer] = [contractOf(before), contractOf(after)]
  const lines = (changes: readonly Change[]): readonly string[] =>
    linesOf(changes.filter(({ code }) => codes.length === 0 || codes.includes(code)))
  return { forth: lines(changesFrom(old, newer)), back: lines(changesFrom(newer, old)) }
}

/** Like {@link bothDirections}, for a service with only albums. */
export function albumsInBothDirections(before: Members, after: Members, ...codes: readonly string[]): BothDirections {
  return bothDirections(albums(before), albums(after), ...codes)
}

/** The same lines in both directions. */
export function alike(...lines: readonly string[]): BothDirections {
  return { forth: lines, back: lines }
}
