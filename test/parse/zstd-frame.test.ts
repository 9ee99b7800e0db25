import { expect, it, test } from 'vitest'
import { isWholeZstd } from '../../src/serve/parse/zstd-frame.js'

/** Data that Node 24 has compressed: Node 20 cannot. */
const frames = {
  'of one segment': 'KLUv/SANaQAAeyJkYXRhIjpudWxsfQ==',
  'with a checksum': 'KLUv/SQNaQAAeyJkYXRhIjpudWxsfco4hS0=',
  'with blocks of a repeated byte': 'KLUv/aDgkwQAVAAAEDAwAQD7/znAAgIAEDADnwQw',
  'without its size': 'KLUv/QAAVQAAGGFiYwEAJqpuCA==',
  'of two blocks': 'KLUv/QBYQAAAYWJjZGVmZ2hBAABpamtsbW5vcA==',
  'that decoders skip': Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]).toString('base64'),
}

test.each(Object.entries(frames))('a frame %s is whole, and no part of it is', (_kind, text) => {
  const frame = Buffer.from(text, 'base64')
  expect(isWholeZstd(frame)).toBe(true)
  for (let length = 0; length < frame.length; length += 1) expect(isWholeZstd(frame.subarray(0, length))).toBe(false)
})

it('Several frames are whole, and nothing else may follow', () => {
  const all = Buffer.concat(Object.values(frames).map((text) => Buffer.from(text, 'base64')))
  expect(isWholeZstd(all)).toBe(true)
  expect(isWholeZstd(all.subarray(0, -1))).toBe(false)
  expect(isWholeZstd(Buffer.concat([all, Buffer.from('{"data":null}')]))).toBe(false)
})
