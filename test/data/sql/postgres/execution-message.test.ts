import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  described,
  executionHead,
  executionMessage,
  undescribed,
} from '../../../../src/stores/sql/dialect/postgres/protocol/prepared-query.js'
import { runs } from '../../../support/runs.js'

/** Lengths around the limits at which texts are written in another way, with characters of one to four bytes. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '€', '🎵'), maxLength: 30 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 20, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('a', '€'), minLength: 250, maxLength: 260 }),
)

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

/** The message of the protocol, part by part: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function plainMessage(name: string, values: readonly (string | null)[], tail: Uint8Array): Buffer {
  const parameters = values.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
  )
  // The unnamed portal, the name, no formats of parameters, and one format for all columns, which the tail begins with.
  const bound = Buffer.concat([
    Buffer.from(`\0${name}\0\0\0`),
    Buffer.from([values.length >> 8, values.length & 255]),
    ...parameters,
  ])
  return Buffer.concat([Buffer.from('B'), int32(bound.length + 6), bound, tail])
}

test('the message of a statement has its values byte for byte', () => {
  fc.assert(
    fc.property(fc.array(fc.option(text), { maxLength: 8 }), fc.boolean(), (values, describes) => {
      const tail = describes ? described : undescribed
      const message = executionMessage(executionHead('ashlar_1', values.length), values, tail)
      expect(Buffer.compare(message, plainMessage('ashlar_1', values, tail))).toBe(0)
    }),
    { numRuns: runs(8000) },
  )
})
