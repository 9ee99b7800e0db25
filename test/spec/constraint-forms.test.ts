import { createServer, defineResource, id, model, rule } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

type Row = Record<string, unknown> & { id: number }

const moment = 'This must be a real date or time, written YYYY-MM-DDTHH:mm:ssZ.'
const day = 'This must be a real date or time, written YYYY-MM-DD.'
const time = 'This must be a real date or time, written HH:mm:ss.'
const form = 'This does not have the required form.'
const taken = 'This is one of the values that are not allowed.'

/** Forms of texts, moments and numbers: accepted and refused ones, with their sentences. */
const things = defineResource('things', {
  model: model<Row>('things'),
  id: id(),
  attributes: (a) => ({
    email: a.email(),
    strictEmail: a.email().strict(),
    url: a.url(),
    webUrl: a.url().allowedSchemes('http', 'https'),
    uuid: a.uuid(),
    uuid7: a.uuid().version(7),
    ulid: a.string().constrain(rule.ulid()),
    slug: a.slug(),
    ip: a.ip(),
    ip4: a.ip().v4(),
    ip6: a.ip().v6(),
    dateTime: a.dateTime(),
    paris: a.dateTime().useTimezone('Europe/Paris').between('2026-07-15T10:00:00Z', '2026-07-15T12:00:00Z'),
    date: a.date(),
    time: a.time(),
    ownDate: a.date().format('DD.MM.YYYY').before('01.02.2000'),
    noon: a.time().after('12:00').before('13:00'),
    oneOfDays: a.dateTime().in(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']),
    noHoliday: a.dateTime().notIn(['2026-01-01T00:00:00Z']),
    integer: a.integer(),
    step: a.integer().multipleOf(5),
    cents: a.decimal().multipleOf(0.01),
    integers: a.arrayList().of('integer'),
    numbers: a.arrayList().of('number'),
    booleans: a.arrayList().of('boolean'),
    characters: a.string().minLength(2).maxLength(3),
    set: a.arrayList().uniqueItems().each(rule.shape({})),
    mixed: a.arrayHash().notIn([{ a: 1, b: [2] }]),
  }),
})

const api = client(createServer({ resources: [things], data: storedData() }))
const post = (attribute: string, value: unknown) =>
  api.post('/things', { body: resourceBody('things', { [attribute]: value }) })

const uuid7 = '0190b7c5-3c5e-7a59-8f0e-0f4f5e6a7b8c'

describe('is refused', () => {
  const refused: readonly (readonly [attribute: string, value: unknown, detail: string, at?: string])[] = [
    ['email', 'thom@localhost', 'This must be an e-mail address.'],
    ['email', 'thom yorke@radiohead.com', 'This must be an e-mail address.'],
    ['email', 'thom@radio_head.com', 'This must be an e-mail address.'],
    ['email', 'thom@-radiohead.com', 'This must be an e-mail address.'],
    ['email', 'thom@radiohead.com\n', 'This must be an e-mail address.'],
    ['strictEmail', 'thom..yorke@radiohead.com', form],
    ['strictEmail', '.thom@radiohead.com', form],
    ['strictEmail', 'thom.@radiohead.com', form],
    ['strictEmail', `${'x'.repeat(65)}@radiohead.com`, form],
    [
      'strictEmail',
      `x@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(20)}.com`,
      'This must have at most 254 characters.',
    ],
    ['url', '//radiohead.com', 'This must be an absolute URL.'],
    ['url', 'https://radiohead.com/ok computer', 'This must be an absolute URL.'],
    ['webUrl', 'javascript:alert(1)', form],
    ['webUrl', 'httpsx://radiohead.com', form],
    ['webUrl', '/albums', 'This must be an absolute URL.'],
    ['uuid', `urn:uuid:${uuid7}`, 'This must be a UUID.'],
    ['uuid', `{${uuid7}}`, 'This must be a UUID.'],
    ['uuid', uuid7.replaceAll('-', ''), 'This must be a UUID.'],
    ['uuid7', 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', form],
    ['uuid7', '0190b7c5-3c5e-7a59-cf0e-0f4f5e6a7b8c', form],
    ['ulid', '81ARZ3NDEKTSV4RRFFQ69G5FAV', form],
    ['ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAU', form],
    ['ulid', '01ARZ3NDEKTSV4RRFFQ69G5FA', form],
    ['slug', 'ok--computer', form],
    ['slug', '-ok', form],
    ['slug', 'Ok', form],
    ['slug', 'ok\n', form],
    ['ip', '1.2.3', 'This has none of the allowed forms.'],
    ['ip', 'radiohead.com', 'This has none of the allowed forms.'],
    ['ip4', '01.2.3.4', 'This must be an IPv4 address.'],
    ['ip4', '256.2.3.4', 'This must be an IPv4 address.'],
    ['ip4', '::ffff:1.2.3.4', 'This must be an IPv4 address.'],
    ['ip6', '1::2::3', 'This must be an IPv6 address.'],
    ['ip6', 'fe80::1%eth0', 'This must be an IPv6 address.'],
    ['ip6', '[::1]', 'This must be an IPv6 address.'],
    ['dateTime', '2026-02-30T00:00:00Z', moment],
    ['dateTime', '2025-02-29T00:00:00Z', moment],
    ['dateTime', '2026-13-01T00:00:00Z', moment],
    ['dateTime', '2026-00-01T00:00:00Z', moment],
    ['dateTime', '2026-01-00T00:00:00Z', moment],
    ['dateTime', '2026-01-01T24:00:00Z', moment],
    ['dateTime', '2026-01-01T23:60:00Z', moment],
    ['dateTime', '2016-12-31T23:59:60Z', moment],
    ['dateTime', '2026-01-01T00:00:00+24:00', moment],
    ['dateTime', '2026-01-01T00:00:00+00:60', moment],
    ['dateTime', '2026-01-01 00:00:00Z', moment],
    ['dateTime', '20260101T000000Z', moment],
    ['dateTime', '2026-W01-1', moment],
    ['dateTime', '+002026-01-01T00:00:00Z', moment],
    ['dateTime', '', moment],
    ['date', '2026-13-01', day],
    ['date', '2026-02-29', day],
    ['date', '2026-01-01T00:00:00Z', day],
    ['date', '26-01-01', day],
    ['date', '0000-01-01', day],
    ['date', '', day],
    ['time', '24:00', time],
    ['time', '12:60', time],
    ['time', '12:30:60', time],
    ['time', '12', time],
    ['time', '12:30Z', time],
    ['paris', '2026-07-15T10:00:00', 'This must be between 2026-07-15T10:00:00+00:00 and 2026-07-15T12:00:00+00:00.'],
    ['ownDate', '31.12.2000', 'This must be before 01.02.2000.'],
    ['ownDate', '01.02.2000', 'This must be before 01.02.2000.'],
    ['ownDate', '30.02.1999', 'This must be a real date or time, written DD.MM.YYYY.'],
    ['noon', '12:00', 'This must be after 12:00:00.'],
    ['noon', '13:00:00', 'This must be before 13:00:00.'],
    ['oneOfDays', '2026-01-03T00:00:00Z', 'This must be one of "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z".'],
    ['noHoliday', '2026-01-01T01:00:00+01:00', taken],
    ['integer', Number.MAX_SAFE_INTEGER + 1, 'This must be 9007199254740991 or less.'],
    ['integer', -1e20, 'This must be -9007199254740991 or more.'],
    ['integer', 1.000001, 'This must be a whole number.'],
    ['step', 12, 'This must be a multiple of 5.'],
    ['cents', 1.005, 'This must be a multiple of 0.01.'],
    ['integers', [1, 2 ** 53], 'This must be 9007199254740991 or less.', '/1'],
    ['integers', [1, null], 'This must be a whole number.', '/1'],
    ['numbers', ['1'], 'This must be a number.', '/0'],
    ['booleans', [0], 'This must be true or false.', '/0'],
    ['characters', '😀', 'This must have at least 2 characters.'],
    ['characters', '😀😀😀😀', 'This must have at most 3 characters.'],
    [
      'set',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'This must not hold the same item twice.',
    ],
    ['set', [0, -0], 'This must not hold the same item twice.'],
    ['mixed', { b: [2], a: 1 }, taken],
  ]
  for (const [attribute, value, detail, at = ''] of refused) {
    test(`${attribute} ${JSON.stringify(value)}: ${detail}`, async () => {
      const response = await post(attribute, value)
      expect(response.status).toBe(422)
      expect(response.errors.map(({ source, detail: message }) => [source?.pointer, message])).toEqual([
        [`/data/attributes/${attribute}${at}`, detail],
      ])
    })
  }
})

describe('is accepted, and reads back', () => {
  const accepted: readonly (readonly [attribute: string, value: unknown, shown?: unknown])[] = [
    ['email', 'thom..yorke+news@radiohead.co.uk'],
    ['email', "o'brien@radiohead.com"],
    ['strictEmail', 'thom.yorke+news@radiohead.co.uk'],
    ['url', 'ftp://radiohead.com'],
    ['url', 'mailto:thom@radiohead.com'],
    ['url', 'http://[::1]:8080/a?b=%20#c'],
    ['webUrl', 'HTTPS://radiohead.com'],
    ['uuid', uuid7.toUpperCase()],
    ['uuid7', uuid7],
    ['ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['ulid', '01arz3ndektsv4rrffq69g5fav'],
    ['slug', 'ok-computer-2'],
    ['ip', '10.0.0.1'],
    ['ip', '2001:db8::ff00:42:8329'],
    ['ip6', '::ffff:1.2.3.4'],
    ['dateTime', '2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999+00:00'],
    ['dateTime', '2026-01-01T00:00', '2026-01-01T00:00:00+00:00'],
    ['dateTime', '2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00+00:00'],
    ['dateTime', '2026-01-01T00:00:00,5-0330', '2026-01-01T03:30:00.500+00:00'],
    ['paris', '2026-07-15T12:00:00', '2026-07-15T10:00:00+00:00'],
    ['paris', '2026-07-15T12:00:00Z', '2026-07-15T12:00:00+00:00'],
    ['date', '0001-01-01'],
    ['time', '00:00', '00:00:00'],
    ['time', '23:59:59'],
    ['ownDate', '31.01.2000'],
    ['noon', '12:00:01'],
    ['oneOfDays', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00+00:00'],
    ['noHoliday', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.001+00:00'],
    ['integer', Number.MIN_SAFE_INTEGER],
    ['integer', 1e3, 1000],
    ['step', -15],
    ['cents', -19.99],
    ['cents', 1e15],
    ['integers', [Number.MAX_SAFE_INTEGER, 0]],
    ['booleans', [true, false]],
    ['characters', '😀é'],
    ['set', [1, '1', [1], { a: 1 }, null, true]],
    ['mixed', { a: 1, b: [3] }],
  ]
  for (const [attribute, value, shown = value] of accepted) {
    test(`${attribute} ${JSON.stringify(value)}`, async () => {
      const response = await post(attribute, value)
      expect(response.errors).toEqual([])
      expect(response.resource.attributes?.[attribute]).toEqual(shown)
    })
  }
})
