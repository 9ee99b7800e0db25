import { describe, expect, test } from 'vitest'
import { asyncContext } from '../../src/core/util/async-context.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a value of an async context', () => {
  test('is that of the work, however much of it runs concurrently', async () => {
    const value = asyncContext<string>()
    const seen = async (): Promise<string | undefined> => {
      await turn()
      return value.current()
    }
    const inner = value.run('outer', async () => [await value.run('inner', seen), await seen()])
    const other = value.run('other', seen)
    expect([value.current(), await inner, await other]).toEqual([undefined, ['inner', 'outer'], 'other'])
  })

  test('is unset when the work has ended, also with an error, and set again for the next', async () => {
    const value = asyncContext<number>()
    await expect(
      value.run(1, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(value.current()).toBeUndefined()
    expect(await value.run(2, async () => value.current())).toBe(2)
  })

  test('remains while other work has ended', async () => {
    const value = asyncContext<string>()
    const long = value.run('long', async () => {
      await value.run('short', turn)
      await turn()
      return value.current()
    })
    await value.run('beside', async () => undefined)
    expect(await long).toBe('long')
  })
})
