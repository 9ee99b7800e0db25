import { describe, expect, test } from 'vitest'
import { thingsWith, violationsOf } from '../support/validated-things.js'

const half = '\ud83d'
const nul = 'a\u0000b'
const things = () =>
  thingsWith((a) => ({
    text: a.string().nullable(),
    email: a.email(),
    day: a.date(),
    list: a.arrayList(),
    hash: a.arrayHash(),
    object: a.object().fields({ text: a.string(), extra: a.arrayHash(), code: a.string().readOnly() }),
    frozen: a.string().readOnly(),
  }))

describe('text that not every store can save is refused at its pointer, on all of them', () => {
  test('half of a surrogate pair', async () => {
    const detail = 'This is not well-formed text.'
    expect(await violationsOf(things(), { text: half, list: ['a', half], email: `${half}@x.example` })).toEqual([
      `text: ${detail}`,
      `email: ${detail}`,
      `list/1: ${detail}`,
    ])
    expect(await violationsOf(things(), { text: `${half}\ude00`, list: ['😀'] })).toEqual([])
  })

  test('U+0000', async () => {
    const detail = 'This has the character U+0000.'
    expect(await violationsOf(things(), { text: nul, list: ['a', nul] })).toEqual([
      `text: ${detail}`,
      `list/1: ${detail}`,
    ])
    expect(await violationsOf(things(), { text: '\u0001\u007f\u2028' })).toEqual([])
  })

  test('deep in open objects, and in the names of their members', async () => {
    expect(await violationsOf(things(), { hash: { a: [{ 'b/c': half }, nul] } })).toEqual([
      'hash/a/0/b~1c: This is not well-formed text.',
      'hash/a/1: This has the character U+0000.',
    ])
    expect(await violationsOf(things(), { hash: { a: { [half]: 1 }, b: { [nul]: 1 } } })).toEqual([
      'hash/a: This has a member whose name is not well-formed text.',
      'hash/b: This has a member whose name has the character U+0000.',
    ])
  })

  test('inside composites', async () => {
    expect(await violationsOf(things(), { object: { text: half, extra: { [nul]: 1 } } })).toEqual([
      'object/text: This is not well-formed text.',
      'object/extra: This has a member whose name has the character U+0000.',
    ])
  })

  test('on update as on create', async () => {
    expect(await violationsOf(things(), { text: half }, { method: 'PATCH' })).toEqual([
      'text: This is not well-formed text.',
    ])
  })

  test('but not if it is ignored', async () => {
    expect(await violationsOf(things(), { frozen: half, strange: nul, object: { code: half, [half]: half } })).toEqual(
      [],
    )
  })
})
