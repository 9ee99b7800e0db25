import { describe, expect, test } from 'vitest'
import { camelCase, snakeCase } from '../../../../src/stores/sql/schema/column-naming.js'

describe('Columns in snake case', () => {
  test.each([
    ['id', 'id'],
    ['title', 'title'],
    ['releasedAt', 'released_at'],
    ['aB', 'a_b'],
    ['line2', 'line2'],
    ['top10List', 'top10_list'],
    ['_private', '_private'],
    ['isOk_', 'is_ok_'],
    ['größeInCm', 'größe_in_cm'],
  ])('%s is %s, and back', (property, name) => {
    expect(snakeCase(property)).toBe(name)
    expect(camelCase(name)).toBe(property)
  })

  test.each([
    ['imageURL', 'image_url', 'imageUrl'],
    ['URLPath', 'url_path', 'urlPath'],
    ['userID', 'user_id', 'userId'],
    ['HTML5Text', 'html5_text', 'html5Text'],
  ])('%s is %s, which by itself would be %s', (property, name, byItself) => {
    expect(snakeCase(property)).toBe(name)
    expect(camelCase(name)).toBe(byItself)
  })

  test.each([
    ['line_2', 'line2'],
    ['no_1_hit', 'no1Hit'],
    ['a__b', 'aB'],
    ['zip code', 'zipCode'],
    ['Order-Date', 'OrderDate'],
  ])('%s is %s', (name, property) => {
    expect(camelCase(name)).toBe(property)
  })
})
