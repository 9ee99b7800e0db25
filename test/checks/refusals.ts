import { BuildError, createServer, defineResource, defineType, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { formatFault } from '../../src/server/assembly/declared/build-fault.js'

/** The input of a JavaScript user: anything. */
export type Members = Readonly<Record<string, unknown>>

/** The sentences of the faults that a build is refused for; none where it is built. */
export function faultsOf(settings: unknown): readonly string[] {
  try {
    createServer(settings as never)
    return []
  } catch (thrown) {
    if (!(thrown instanceof BuildError)) throw thrown
    return thrown.faults.map(formatFault)
  }
}

/** A valid resource except for the given members. */
export function resource(type: unknown, members: Members = {}): unknown {
  const declared = { model: model(typeof type === 'string' && type !== '' ? type : 'rows'), id: id(), ...members }
  return defineResource(type as never, declared as never)
}

/** A type made of capabilities, valid except for the given members. */
export function capabilities(type: unknown, members: Members = {}): unknown {
  return defineType(type as never, { fields: () => ({ code: id() }), ...members })
}

/** The faults of albums with these members, next to other types. */
export function albumFaults(members: Members, ...others: readonly unknown[]): readonly string[] {
  return faultsOf({ resources: [resource('albums', members), ...others], data: memoryData(), policy: 'public' })
}

/** The faults of a server with albums and these settings. */
export function settingFaults(settings: Members): readonly string[] {
  return faultsOf({ resources: [resource('albums')], data: memoryData(), ...settings })
}

export interface Refusal {
  readonly name: string
  readonly found: () => readonly string[]
  /** Every sentence of the report. */
  readonly messages: readonly string[]
}

/** One test a fault, with its full message. */
export function refusals(table: readonly Refusal[]): void {
  test.each(table)('$name', ({ found, messages }) => {
    expect(found()).toEqual(messages)
  })
}
