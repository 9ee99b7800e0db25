import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resourceBody } from '../support/client.js'
import { albumsWith, at, patch } from '../support/merged-albums.js'

/** Decision: a PATCH checks the sent values. */
describe('a PATCH checks the sent values', () => {
  test('a stored value that violates a rule does not make it fail', async () => {
    const api = albumsWith(
      (a) => ({ title: a.string().minLength(3), year: a.integer().min(1900) }),
      { title: 'OK', year: 1997 },
      {},
    )
    expect((await patch(api, { year: 1998 })).status).toBe(200)
    expect((await patch(api, {})).status).toBe(200)
    expectErrors(await patch(api, { title: 'OK' }), at('title', 'This must have at least 3 characters.'))
    expectErrors(await patch(api, { year: 1 }), at('year', 'This must be 1900 or more.'))
  })

  test('nor does one of another JSON type, or a required one that is null', async () => {
    const api = albumsWith(
      (a) => ({ title: a.string(), year: a.integer(), label: a.string().required() }),
      { title: 'OK', year: 'long ago', label: null },
      {},
    )
    // No integer can show the year, so it is left out.
    const body = resourceBody('albums', { title: 'Kid A' }, '1')
    expect((await api.patch('/albums/1?fields[albums]=title', { body })).status).toBe(200)
  })

  test('a rule that compares a stored value with a sent one applies, on either side', async () => {
    const api = albumsWith(
      (a) => ({ opens: a.integer().compareWith('closes', '<'), closes: a.integer(), title: a.string() }),
      { opens: 5, closes: 9, title: 'OK' },
      {},
    )
    const message = "This must be less than 'closes'."
    expectErrors(await patch(api, { opens: 10 }), at('opens', message))
    expectErrors(await patch(api, { closes: 4 }), at('opens', message))
    expect((await patch(api, { opens: 1, closes: 4 })).status).toBe(200)
  })

  test('a rule that compares two stored values is not called', async () => {
    const api = albumsWith(
      (a) => ({ opens: a.integer().compareWith('closes', '<'), closes: a.integer(), title: a.string() }),
      { opens: 9, closes: 5, title: 'OK' },
      {},
    )
    expect((await patch(api, { title: 'Kid A' })).status).toBe(200)
  })

  test('of a composite, the members that are sent', async () => {
    const api = albumsWith(
      (a) => ({ info: a.object().fields({ label: a.string().minLength(3), year: a.integer() }) }),
      { info: { label: 'X', year: 1997 } },
      {},
    )
    expect((await patch(api, { info: { year: 1998 } })).status).toBe(200)
    expectErrors(await patch(api, { info: { label: 'Y' } }), at('info/label', 'This must have at least 3 characters.'))
  })

  test('a user-defined rule is called only for sent values', async () => {
    const calls: unknown[] = []
    const noted = z.string().refine((value) => calls.push(value) > 0)
    const api = albumsWith(
      (a) => ({ title: a.string().check(noted), year: a.integer() }),
      { title: 'OK', year: 1997 },
      {},
    )
    await patch(api, { year: 1998 })
    expect(calls).toEqual([])
    await patch(api, { title: 'Kid A' })
    // A store may check them again in the transaction of the write.
    expect(new Set(calls)).toEqual(new Set(['Kid A']))
  })
})
