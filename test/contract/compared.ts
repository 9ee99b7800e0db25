import { type AttributeKit, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { compareContracts } from '../../src/contract/compare-contracts.js'
import type { Change } from '../../src/contract/compare/change.js'
import type { Contract } from '../../src/contract/model/contract.js'
import { contractDocument } from '../../src/contract/model/contract-document.js'
import { readContract } from '../../src/contract/model/read-contract.js'

/** Anything that a server may be given: the cases of a table have different types. */
export type Members = Readonly<Record<string, unknown>>

export type Declare = (a: AttributeKit<Record<string, never>>) => unknown

/** Returns the contract of a server, read from its document as JSON has it. */
export function contractOf(settings: Members): Contract {
  const server = createServer({ data: memoryData(), ...settings } as never)
  return readContract(contractDocument(JSON.parse(JSON.stringify(server.openapi())), 'the document'))
}

/** Declares a type of any rows. */
export function resource(type: string, members: Members = {}): unknown {
  return defineResource(type, { model: model(type), id: id(), ...members } as never)
}

/** Returns the changes from one contract to another, without those of texts. */
export function changesFrom(before: Contract, after: Contract): readonly Change[] {
  return compareContracts(before, after, { now: new Date('2026-06-15') }).filter(({ code }) => code !== 'text-changed')
}

/** Returns a line for each change: `breaking member-removed albums.title`. */
export function linesOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ severity, code, place }) => `${severity} ${code} ${place}`)
}

/** Returns the lines of the changes between two servers, in both directions. */
export function bothWays(before: Members, after: Members): { forth: readonly string[]; back: readonly string[] } {
  const [old, recent] = [contractOf(before), contractOf(after)]
  return { forth: linesOf(changesFrom(old, recent)), back: linesOf(changesFrom(recent, old)) }
}

/** Like {@link bothWays}, for a service with albums alone. */
export function albumsBothWays(before: Members, after: Members): ReturnType<typeof bothWays> {
  return bothWays({ resources: [resource('albums', before)] }, { resources: [resource('albums', after)] })
}
