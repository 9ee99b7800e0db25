import { describe, expect, test } from 'vitest'
import { cursorPage, fixedPage, numberPage, offsetPage, pageMenu } from '../../src/declare/pagination/paginator.js'

describe('a paginator', () => {
  test.each([
    ['page', numberPage(), 100],
    ['offset', offsetPage(), 100],
    ['cursor', cursorPage(), 100],
    ['fixed', fixedPage(), 0],
  ])('%s has 15 a page by default', (strategy, paginator, maxSize) => {
    expect(paginator).toMatchObject({ strategy, kind: strategy, size: 15, maxSize, counted: false })
  })

  test('is frozen; its modifiers return new ones', () => {
    const plain = numberPage({ size: 3, keys: { size: 'of' } })
    const other = plain.withCount().named('large')
    expect(plain).toMatchObject({ counted: false, kind: 'page' })
    expect(other).toMatchObject({ counted: true, kind: 'large', size: 3, keys: { number: 'number', size: 'of' } })
    expect([plain, other, plain.keys].every(Object.isFrozen)).toBe(true)
  })

  test('of a fixed size has no maximum, whatever is requested', () => {
    expect(fixedPage({ size: 500 })).toMatchObject({ size: 500, maxSize: 0 })
  })
})

describe('a menu', () => {
  test('does not change its choices', () => {
    const choices = [numberPage(), cursorPage()]
    const menu = pageMenu(choices)
    choices.pop()
    expect(menu).toMatchObject({ strategy: 'menu', defaultKind: null })
    expect(menu.choices).toHaveLength(2)
    expect(Object.isFrozen(menu) && Object.isFrozen(menu.choices)).toBe(true)
    expect(pageMenu(choices, { default: 'page' }).defaultKind).toBe('page')
  })
})
