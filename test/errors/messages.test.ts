import { describe, expect, test, vi } from 'vitest'
import type { ErrorObject } from '../../src/core/document/error-object.js'
import { errorReply } from '../../src/core/errors/error-reply.js'
import { compileErrorSettings, type ErrorSettings } from '../../src/core/errors/error-settings.js'
import { JsonApiError, type Problem, problem } from '../../src/core/errors/json-api-error.js'
import { fillTemplate } from '../../src/core/errors/message-template.js'
import type { MessageResolver } from '../../src/core/errors/messages.js'
import { sentence } from '../../src/core/errors/sentence.js'

const missing = problem('RELATIONSHIP_NOT_EXISTS', { relationship: 'tracks' })
const english = {
  title: 'Relationship does not exist',
  detail: "The relationship 'tracks' does not exist on this resource.",
}

function rendered(messages: ErrorSettings['messages'], thrown: Problem = missing): ErrorObject | undefined {
  return errorReply(new JsonApiError([thrown]), compileErrorSettings({ messages })).errors[0]
}

describe('8. messages of the domain jsonapi_errors', () => {
  test('override both slots, and placeholders are filled after the lookup', () => {
    const messages = {
      jsonapi_errors: {
        RELATIONSHIP_NOT_EXISTS: { title: 'Relation inconnue', detail: "La relation '{relationship}' n'existe pas." },
      },
    }
    expect(rendered(messages)).toEqual({
      status: '404',
      code: 'RELATIONSHIP_NOT_EXISTS',
      title: 'Relation inconnue',
      detail: "La relation 'tracks' n'existe pas.",
    })
  })

  test('fall back to the built-in English per slot', () => {
    const override = (slots: { title?: string; detail?: string }) =>
      rendered({ jsonapi_errors: { RELATIONSHIP_NOT_EXISTS: slots } })
    expect(override({ title: 'Relation inconnue' })).toMatchObject({ ...english, title: 'Relation inconnue' })
    expect(override({ detail: '{relationship} ?' })).toMatchObject({ ...english, detail: 'tracks ?' })
    expect(override({})).toMatchObject(english)
    expect(rendered({ jsonapi_errors: { RESOURCE_NOT_FOUND: { title: 'Absent' } } })).toMatchObject(english)
    for (const none of [{}, null, undefined]) expect(rendered(none)).toMatchObject(english)
  })

  test('apply to VALIDATION_FAILED as well', () => {
    const messages = { jsonapi_errors: { VALIDATION_FAILED: { title: 'Ungültig', detail: 'Fehler: {message}' } } }
    expect(rendered(messages, problem('VALIDATION_FAILED', { message: 'zu lang' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      title: 'Ungültig',
      detail: 'Fehler: zu lang',
    })
  })

  test('replace the sentence about a violated rule, in values of bodies and of filters', () => {
    const messages = {
      jsonapi_errors: {
        'VALIDATION_FAILED.maxLength': { detail: 'Höchstens {limit} Zeichen.' },
        'VALIDATION_FAILED.required': { detail: 'Fehlt: {limit}' },
      },
    }
    const tooLong = sentence('maxLength', { limit: '1' })
    expect(rendered(messages, problem('VALIDATION_FAILED', { message: tooLong }))?.detail).toBe('Höchstens 1 Zeichen.')
    expect(rendered(messages, problem('FILTER_VALUE_INVALID', { message: tooLong }))?.detail).toBe(
      'Höchstens 1 Zeichen.',
    )
    expect(rendered(null, problem('VALIDATION_FAILED', { message: tooLong }))?.detail).toBe(
      'This must have at most 1 character.',
    )
    const missingValue = problem('VALIDATION_FAILED', { message: sentence('required') })
    expect(rendered(messages, missingValue)?.detail).toBe('Fehlt: {limit}')
    const notNull = problem('VALIDATION_FAILED', { message: sentence('notNull') })
    expect(rendered(messages, notNull)?.detail).toBe('This must not be null.')
  })

  test('surround a translated sentence', () => {
    const messages = {
      jsonapi_errors: {
        VALIDATION_FAILED: { title: 'Ungültig', detail: 'Fehler: {message}' },
        'VALIDATION_FAILED.notNull': { title: 'unused', detail: 'Nie null.' },
      },
    }
    expect(rendered(messages, problem('VALIDATION_FAILED', { message: sentence('notNull') }))).toMatchObject({
      title: 'Ungültig',
      detail: 'Fehler: Nie null.',
    })
  })

  test('never alter code and status', () => {
    const slots = { title: 'T', detail: 'D', status: '200', code: 'OTHER' }
    expect(rendered({ jsonapi_errors: { RELATIONSHIP_NOT_EXISTS: slots } })).toEqual({
      status: '404',
      code: 'RELATIONSHIP_NOT_EXISTS',
      title: 'T',
      detail: 'D',
    })
  })

  test('an empty override leaves its member out', () => {
    expect(rendered({ jsonapi_errors: { RELATIONSHIP_NOT_EXISTS: { detail: '' } } })).not.toHaveProperty('detail')
  })

  test('can be resolved by a function of code, slot and request', () => {
    const resolver = vi.fn<MessageResolver>((_code, slot, { request }) =>
      slot === 'title' && request?.header('accept-language') === 'fr' ? 'Relation inconnue' : null,
    )
    const settings = compileErrorSettings({ messages: resolver })
    const request = { header: () => 'fr' } as never
    const error = new JsonApiError([missing])
    expect(errorReply(error, settings, { request }).errors[0]).toMatchObject({
      ...english,
      title: 'Relation inconnue',
    })
    expect(errorReply(error, settings).errors[0]).toMatchObject(english)
    expect(resolver.mock.calls[0]).toEqual(['RELATIONSHIP_NOT_EXISTS', 'title', { request }])
    expect(resolver.mock.calls[1]?.[1]).toBe('detail')
  })

  test.each<[string, MessageResolver]>([
    [
      'throws',
      () => {
        throw new Error('no catalogue')
      },
    ],
    ['returns a promise', (async () => Promise.reject(new Error('too late'))) as unknown as MessageResolver],
    ['returns a number', (() => 7) as unknown as MessageResolver],
    ['returns nothing', () => undefined],
  ])('a resolver that %s leaves the English', (_what, resolver) => {
    expect(rendered(resolver)).toMatchObject(english)
  })

  test('a catalogue that throws leaves the English', () => {
    const messages = {
      get jsonapi_errors(): never {
        throw new Error('not loaded')
      },
    }
    expect(rendered(messages)).toMatchObject(english)
  })
})

describe('8. placeholders', () => {
  test('unknown tokens and stray braces stay literal', () => {
    expect(fillTemplate('{a} {b} {constructor} {__proto__} {} { a } {a', { a: 1 })).toBe(
      '1 {b} {constructor} {__proto__} {} { a } {a',
    )
  })

  test('values are put in as they are: not filled again, no replacement patterns', () => {
    expect(fillTemplate('{a}-{b}', { a: '{b}', b: '$&$1' })).toBe('{b}-$&$1')
  })
})
