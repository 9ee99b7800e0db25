import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ATOMIC_EXTENSION,
  contentType,
  MEDIA_TYPE,
  parseMediaTypes,
  uriList,
} from '../../src/core/document/media-type.js'
import { runs } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

const one = (header: string) => {
  const [mediaType, ...others] = parseMediaTypes(header)
  expect(others).toEqual([])
  return mediaType
}

describe('A list of media types', () => {
  it('is split at commas outside quotes', () => {
    const names = parseMediaTypes('text/html;a="x,y", application/json').map(({ name }) => name)
    expect(names).toEqual(['text/html', 'application/json'])
  })

  it('may have empty elements and any optional white space', () => {
    expect(parseMediaTypes(' ,, text/html\t;\tq=0.5 , ,*/* ,').map(({ name }) => name)).toEqual(['text/html', '*/*'])
    expect(parseMediaTypes('')).toEqual([])
  })

  it('keeps the elements after a malformed one', () => {
    expect(parseMediaTypes('nonsense, application/json')).toEqual([
      { name: '', parameters: [], malformed: true },
      { name: 'application/json', parameters: [], malformed: false },
    ])
  })
})

describe('A media type', () => {
  it('has its name and parameter names in lower case and its values as sent', () => {
    expect(one('Application/VND.API+JSON; Profile="https://A.example/P"')).toEqual({
      name: MEDIA_TYPE,
      parameters: [{ name: 'profile', value: 'https://A.example/P' }],
      malformed: false,
    })
  })

  it('may hold quoted strings with escapes, separators and nothing at all', () => {
    expect(one(String.raw`a/b; x="a\"b\\c;,"; y=""`)?.parameters).toEqual([
      { name: 'x', value: String.raw`a"b\c;,` },
      { name: 'y', value: '' },
    ])
  })

  it('may have empty parameters', () => {
    expect(one('a/b;; ;x=1;')).toEqual({ name: 'a/b', parameters: [{ name: 'x', value: '1' }], malformed: false })
  })

  it('is understood when a URI is not quoted', () => {
    expect(one(`${MEDIA_TYPE};ext=${ATOMIC_EXTENSION};q=1`)?.parameters[0]).toEqual({
      name: 'ext',
      value: ATOMIC_EXTENSION,
    })
  })

  it.each([
    'application',
    'application/',
    '/json',
    'a/b c',
    'a/b; x',
    'a/b; x=',
    'a/b; x =1',
    'a/b; x= 1',
    'a/b; x="1',
    'a/b; x="1\\',
    'a/b; x="1"y',
    'a/b; x=1"2"',
  ])('is marked malformed: %s', (header) => {
    expect(one(header)?.malformed).toBe(true)
  })

  it('gives the URIs of its space-separated lists, over repeated parameters', () => {
    const mediaType = one('a/b; profile=" u:1  u:2 "; profile="u:3"; ext="u:4"')
    expect(mediaType && uriList(mediaType, 'profile')).toEqual(['u:1', 'u:2', 'u:3'])
  })
})

describe('Any text at all', () => {
  const separators = fc.string({ unit: fc.constantFrom('"', '\\', ',', ';', '=', '/', ' ', 'a', '\t', '*', '\u00e9') })

  it('is read as a list of media types without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), separators), (header) => {
        for (const { name, malformed } of parseMediaTypes(header)) expect(name !== '' || malformed).toBe(true)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('survives quoting', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        const quoted = `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
        expect(one(`a/b; x=${quoted}`)).toEqual({ name: 'a/b', parameters: [{ name: 'x', value }], malformed: false })
      }),
    )
  })
})

describe('The Content-Type of a document', () => {
  it('is the bare media type when nothing is applied', () => {
    expect(contentType([], [])).toBe('application/vnd.api+json')
  })

  it('names the extensions before the profiles, each as one quoted list', () => {
    expect(contentType([ATOMIC_EXTENSION], ['u:1', 'u:2'])).toBe(
      'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"; profile="u:1 u:2"',
    )
    expect(contentType([], ['u:1'])).toBe('application/vnd.api+json; profile="u:1"')
  })
})
