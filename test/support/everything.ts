import { belongsTo, createServer, defineResource, enumeration, hasMany, id, model } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { client } from './client.js'
import { storedData } from './stored-data.js'
import { storedRows } from './stored-rows.js'

export interface EverythingRow {
  id: number
  text: string
  fromNumber: string
  email: string
  url: string
  uuid: string
  slug: string
  ip: string
  integer: number
  big: bigint
  fraction: number
  decimal: number | string
  flag: boolean | number
  moment: Date | string
  zoned: Date | string
  precise: Date | string
  written: Date | string
  day: Date | string
  time: Date | string
  list: readonly unknown[]
  numbers: readonly number[]
  sorted: readonly string[]
  hash: object
  keyed: object
  columnA: string
  columnB: number
  columnC: Date | string
  held: object
  choice: object
  password: string
  secret: string
  sparse: string
  frozen: string
  first: string
  last: string
  shouted: string
  code: string
  labelId: number | null
  note: string | null
}

const Mood = enumeration('Mood', { calm: 'Calm.', wild: 'Wild.' })

/** One attribute of every kind; the read value may differ from the stored one. */
const everything = defineResource('everything', {
  model: model<EverythingRow>('everything'),
  id: id(),
  attributes: (a) => ({
    text: a.string().enum(Mood),
    fromNumber: a.string(),
    email: a.email(),
    url: a.url(),
    uuid: a.uuid(),
    slug: a.slug(),
    ip: a.ip(),
    integer: a.integer(),
    big: a.bigint(),
    fraction: a.integer(),
    decimal: a.decimal(),
    flag: a.boolean(),
    moment: a.dateTime(),
    zoned: a.dateTime().useTimezone('Europe/Paris'),
    precise: a.dateTime().format('YYYY-MM-DDTHH:mm:ss.SSSZ'),
    written: a.dateTime().format('DD.MM.YYYY HH:mm'),
    day: a.date(),
    time: a.time(),
    list: a.arrayList(),
    numbers: a.arrayList().of('integer'),
    sorted: a.arrayList().sorted(),
    hash: a.arrayHash(),
    keyed: a.arrayHash().sortKeys(),
    map: a.map().fields({
      a: a.string().storedAs('columnA'),
      b: a.integer().storedAs('columnB'),
      deep: a.map().fields({ c: a.dateTime().storedAs('columnC') }),
    }),
    held: a.object().fields({
      name: a.string().required(),
      at: a.dateTime(),
      secret: a.string().writeOnly(),
      inner: a.object().fields({ x: a.integer(), y: a.decimal() }),
      either: a.oneOf().variant('one', { n: a.integer() }).variant('two', { s: a.string() }),
    }),
    choice: a
      .oneOf()
      .discriminator('format')
      .variant('vinyl', { speed: a.integer(), pressed: a.date() })
      .variant('download', { bitrate: a.integer() }),
    password: a.string().minLength(8).writeOnly(),
    secret: a.string().hidden(),
    sparse: a.string().sparseByDefault(),
    frozen: a.string().readOnlyOnUpdate(),
    full: a.string().computed((row) => `${row.first} ${row.last}`),
    first: a.string().extractUsing((row) => row.first.trim()),
    shouted: a.string().serializeUsing((row) => row.shouted.toUpperCase()),
    code: a
      .string()
      .serializeUsing((row) => row.code.slice(1))
      .deserializeUsing((value) => `#${String(value)}`),
    note: a.string().nullable(),
  }),
  relations: { label: belongsTo('labels') },
})

const labels = defineResource('labels', {
  model: model<{ id: number }>('labels'),
  id: id(),
  relations: { all: hasMany('everything').via('labelId') },
})

export const row: EverythingRow = {
  id: 1,
  text: 'calm',
  fromNumber: '42',
  email: 'bjork@music.example',
  url: 'https://music.example/%C3%B6?x=1',
  uuid: 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c',
  slug: 'homogenic',
  ip: '::1',
  integer: 7,
  big: 9_007_199_254_740_991n,
  fraction: 3,
  decimal: '4.80',
  flag: 1,
  moment: new Date('2024-02-29T12:30:15.678Z'),
  zoned: new Date('2024-07-01T22:30:00.5Z'),
  precise: new Date('2024-02-29T12:30:15.678Z'),
  written: new Date('2024-02-29T12:30:15.678Z'),
  day: new Date('2024-02-29T23:59:59Z'),
  time: new Date('1970-01-01T12:30:15.999Z'),
  list: ['b', 'a', 'b'],
  numbers: [3, 1, 2],
  sorted: ['c', 'a', 'b'],
  hash: { z: 1, a: { nested: [true, null] } },
  keyed: { z: 1, a: 2 },
  columnA: 'a',
  columnB: 2,
  columnC: new Date('2024-02-29T12:30:15.678Z'),
  held: {
    name: 'n',
    at: '2024-02-29T12:30:15.678Z',
    secret: 'kept',
    unknown: 'kept too',
    inner: { x: 1, y: '2.50', z: 'kept' },
    either: { type: 'one', n: 1, more: true },
  },
  choice: { format: 'vinyl', speed: 33, pressed: '1997-09-22', extra: 'kept' },
  password: 'correct horse',
  secret: 'hidden',
  sparse: 'seldom',
  frozen: 'once',
  first: ' Björk ',
  last: 'Guðmundsdóttir',
  shouted: 'quiet',
  code: '#ab',
  labelId: 1,
  note: null,
}

/** Everything as text, as some stores save it. */
export const asText: EverythingRow = {
  ...row,
  id: 2,
  decimal: '04.8',
  flag: 0,
  big: 12n,
  moment: '2024-02-29T12:30:15.678Z',
  zoned: '2024-07-02T00:30:00.500+02:00',
  precise: '2024-02-29T12:30:15.678901Z',
  written: '2024-02-29T12:30:15Z',
  day: '2024-02-29',
  time: '12:30:15',
}

/** Rows from before the current rules: nulls that may not be sent. */
export const emptied: EverythingRow = Object.fromEntries([
  ...Object.keys(row).map((column) => [column, null]),
  ['id', 3],
  ['first', ''],
  ['last', ''],
  ['shouted', ''],
  ['code', '#'],
]) as EverythingRow

/** Composites that hold nulls, or little. */
export const sparse: EverythingRow = {
  ...row,
  id: 4,
  columnA: emptied.columnA,
  columnC: emptied.columnC,
  held: { name: 'n', at: null, inner: { x: null, y: null }, either: null },
  choice: { format: 'vinyl', speed: null, pressed: null },
  hash: {},
  list: [],
  numbers: [],
}

/** Values that rules of today refuse. */
export const outdated: EverythingRow = {
  ...row,
  id: 5,
  text: 'gone',
  email: 'none',
  choice: { format: 'tape', length: 90 },
}

export interface EverythingWorld {
  readonly api: TestClient
  readonly rows: () => ReturnType<typeof storedRows>
}

export function everythingWith(
  rows: readonly EverythingRow[],
  settings: { readonly validateStored?: boolean } = {},
): EverythingWorld {
  const data = storedData({ everything: rows, labels: [{ id: 1 }] })
  const server = createServer({ ...settings, resources: [everything, labels], data })
  return { api: client(server), rows: () => storedRows(data, ['everything', 'labels']) }
}
