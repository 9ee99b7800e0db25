import {
  type AttributeKit,
  belongsTo,
  belongsToMany,
  type CreateAttributes,
  createServer,
  defineResource,
  defineType,
  enumeration,
  hasMany,
  hasOne,
  id,
  type IncludePath,
  model,
  morphTo,
  morphToMany,
  type ReadAttributes,
  type RelationKit,
  type RequestContext,
  type TypeName,
  type UpdateAttributes,
  type WorkContext,
} from 'ashlar'
import type { UseCondition } from '../../src/declare/resource/request/use-guard.js'
import type { Provider } from 'ashlar/store'
import { describe, expectTypeOf, it } from 'vitest'

const staff: UseCondition = ({ caller }) => caller !== null

interface AlbumRow {
  id: number
  title: string
  subtitle: string | null
  year: number
  plays: bigint
  price: string
  explicit: boolean
  releasedAt: Date | null
  day: string
  opensAt: Date
  tags: string[]
  scores: readonly number[]
  extra: Record<string, unknown>
  size: { width: number; height: number }
  medium: object
  label: string | null
  shelf: number
  passwordHash: Uint8Array | null
  artistId: number | null
}

// Only for the compiler: the function that names them is never called.
declare enum Speed {
  slow = 1,
  fast = 2,
}
declare enum Mood {
  calm = 'calm',
  wild = 'wild',
}

describe('attribute kinds', () => {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string(),
      email: a.email().storedAs('title'),
      url: a.url().storedAs('title'),
      uuid: a.uuid().storedAs('title'),
      slug: a.slug().storedAs('title'),
      ip: a.ip().storedAs('title'),
      year: a.integer(),
      plays: a.integer(),
      streams: a.bigint().min(0n).storedAs('plays'),
      price: a.decimal(),
      explicit: a.boolean(),
      releasedAt: a.dateTime().nullable(),
      day: a.date(),
      opensAt: a.time(),
      tags: a.arrayList(),
      scores: a.arrayList().of('integer'),
    }),
  })

  it('are read as JSON values', () => {
    expectTypeOf<ReadAttributes<typeof albums>>().toEqualTypeOf<{
      title: string
      email: string
      url: string
      uuid: string
      slug: string
      ip: string
      year: number
      plays: number
      streams: string
      price: number
      explicit: boolean
      releasedAt: string | null
      day: string
      opensAt: string
      tags: readonly string[]
      scores: readonly number[]
    }>()
  })

  it('may all be left out of a create when none is required', () => {
    expectTypeOf<{}>().toExtend<CreateAttributes<typeof albums>>()
    expectTypeOf<CreateAttributes<typeof albums>>().toEqualTypeOf<UpdateAttributes<typeof albums>>()
  })

  it('give an open object JSON members', () => {
    const hashes = defineResource('hashes', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ extra: a.arrayHash() }),
    })
    expectTypeOf<{ a: 1; b: ['x', { c: null }] }>().toExtend<ReadAttributes<typeof hashes>['extra']>()
    expectTypeOf<{ a: Date }>().not.toExtend<ReadAttributes<typeof hashes>['extra']>()
  })
})

describe('modifiers', () => {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      plain: a.string().storedAs('title'),
      nullable: a.string().nullable().storedAs('subtitle'),
      required: a.string().required().storedAs('title'),
      requiredNullable: a.string().required().nullable().storedAs('subtitle'),
      requiredOnCreate: a.string().requiredOnCreate().storedAs('title'),
      requiredOnUpdate: a.string().requiredOnUpdate().storedAs('title'),
      readOnly: a.string().readOnly().storedAs('title'),
      requiredReadOnly: a.string().required().readOnly().storedAs('title'),
      maybeReadOnly: a
        .string()
        .readOnly(({ server }) => server === 'public')
        .storedAs('title'),
      readOnlyOnCreate: a.string().required().readOnlyOnCreate().storedAs('title'),
      readOnlyOnUpdate: a.string().required().readOnlyOnUpdate().storedAs('title'),
      hidden: a.string().hidden().storedAs('title'),
      maybeHidden: a
        .string()
        .hidden((row) => row.explicit)
        .storedAs('title'),
      writeOnly: a.string().writeOnly().storedAs('title'),
      maybeWriteOnly: a
        .string()
        .writeOnly(({ server }) => server === 'public')
        .storedAs('title'),
      onDemand: a.string().sparseByDefault().storedAs('title'),
      always: a.string().notSparseField().storedAs('title'),
      computed: a.string().computed((row) => `${row.title} (${row.year})`),
      computedUsing: a.integer().computedUsing((row) => row.plays),
      extracted: a
        .string()
        .computed()
        .extractUsing((row) => row.title),
      filled: a
        .string()
        .computed()
        .extractUsing((row) => row.title)
        .fillUsing((_row, value) => ({ title: String(value) })),
      flattened: a.string().on('artist').storedAs('name'),
    }),
  })

  it('determine the values that are read', () => {
    expectTypeOf<ReadAttributes<typeof albums>>().toEqualTypeOf<{
      plain: string
      nullable: string | null
      required: string
      requiredNullable: string | null
      requiredOnCreate: string
      requiredOnUpdate: string
      readOnly: string
      requiredReadOnly: string
      maybeReadOnly: string
      readOnlyOnCreate: string
      readOnlyOnUpdate: string
      maybeHidden?: string
      maybeWriteOnly?: string
      onDemand?: string
      always: string
      computed: string
      computedUsing: number
      extracted: string
      filled: string
      flattened: string | null
    }>()
  })

  it('determine the values that a create takes, and those that are required', () => {
    expectTypeOf<CreateAttributes<typeof albums>>().toEqualTypeOf<{
      plain?: string
      nullable?: string | null
      required: string
      requiredNullable: string | null
      requiredOnCreate: string
      requiredOnUpdate?: string
      maybeReadOnly?: string
      readOnlyOnUpdate: string
      maybeHidden?: string
      writeOnly?: string
      maybeWriteOnly?: string
      onDemand?: string
      always?: string
      filled?: string
      flattened?: string
    }>()
  })

  it('determine the values that an update takes, all of them optional', () => {
    expectTypeOf<UpdateAttributes<typeof albums>>().toEqualTypeOf<{
      plain?: string
      nullable?: string | null
      required?: string
      requiredNullable?: string | null
      requiredOnCreate?: string
      requiredOnUpdate?: string
      maybeReadOnly?: string
      readOnlyOnCreate?: string
      maybeHidden?: string
      writeOnly?: string
      maybeWriteOnly?: string
      onDemand?: string
      always?: string
      filled?: string
      flattened?: string | null
    }>()
  })

  it('may be in any order', () => {
    const reordered = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        one: a.string().storedAs('subtitle').required().maxLength(3).nullable().sortable(),
        other: a.string().sortable().nullable().maxLength(3).storedAs('subtitle').required(),
      }),
    })
    expectTypeOf<CreateAttributes<typeof reordered>['one']>().toEqualTypeOf<string | null>()
    expectTypeOf<CreateAttributes<typeof reordered>['other']>().toEqualTypeOf<string | null>()
  })

  it('distinguish an exact optional member from one that is undefined', () => {
    expectTypeOf<{ plain: undefined }>().not.toExtend<UpdateAttributes<typeof albums>>()
    expectTypeOf<{ onDemand: undefined }>().not.toExtend<Pick<ReadAttributes<typeof albums>, 'onDemand'>>()
  })
})

describe('columns', () => {
  it('need no reading kind if the attribute is never read, or has converters for both directions', () => {
    const accounts = defineResource('accounts', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        password: a
          .string()
          .writeOnly()
          .storedAs('passwordHash')
          .deserializeUsing((value) => String(value)),
        secret: a
          .string()
          .writeOnly()
          .fillUsing(() => ({ passwordHash: new Uint8Array() })),
        digits: a
          .integer()
          .storedAs('price')
          .extractUsing((row) => row.price.length),
        initials: a
          .string()
          .readOnly()
          .serializeUsing((row) => row.title.slice(0, 1)),
        hidden: a.string().hidden().sortable().storedAs('subtitle'),
      }),
    })
    expectTypeOf<ReadAttributes<typeof accounts>>().toEqualTypeOf<{ digits: number; initials: string }>()
    expectTypeOf<CreateAttributes<typeof accounts>>().toEqualTypeOf<{
      password?: string
      secret?: string
      digits?: number
    }>()
  })

  it('may be optional, which the wire shows as null', () => {
    const notes = defineResource('notes', {
      model: model<{ id: number; text?: string; at?: Date | undefined }>('notes'),
      id: id(),
      attributes: (a) => ({ text: a.string().nullable(), at: a.dateTime().nullable() }),
    })
    expectTypeOf<ReadAttributes<typeof notes>>().toEqualTypeOf<{ text: string | null; at: string | null }>()
  })

  it('may hold branded values', () => {
    type Isbn = string & { readonly brand: 'Isbn' }
    type Cents = number & { readonly brand: 'Cents' }
    const books = defineResource('books', {
      model: model<{ id: number; isbn: Isbn; cents: Cents | null }>('books'),
      id: id(),
      attributes: (a) => ({ isbn: a.string(), cents: a.integer().nullable() }),
    })
    expectTypeOf<ReadAttributes<typeof books>>().toEqualTypeOf<{ isbn: string; cents: number | null }>()
  })

  it('may be of a row with open names, or of any row', () => {
    const open = defineResource('open', {
      model: model<Record<string, unknown>>('open'),
      id: id(),
      attributes: (a) => ({ title: a.string().required(), year: a.integer().storedAs('whatever').sortable() }),
      relations: (r) => ({ artist: r.belongsTo('artists').via('artistId') }),
      filters: (f) => ({ year: f.range('anything') }),
      defaultSort: ['-year'],
    })
    expectTypeOf<ReadAttributes<typeof open>>().toEqualTypeOf<{ title: string; year: number }>()
    const texts = defineResource('texts', {
      model: model<Record<string, string>>('texts'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
    })
    expectTypeOf<ReadAttributes<typeof texts>>().toEqualTypeOf<{ title: string }>()
    // The result of `JSON.parse` and untyped drivers.
    const anything = defineResource('anything', {
      model: model<ReturnType<typeof JSON.parse>>('anything'),
      id: id(),
      attributes: (a) => ({ title: a.string(), year: a.integer().computed((row) => row.year) }),
      relations: (r) => ({ artist: r.belongsTo('artists').via('artistId') }),
    })
    expectTypeOf<ReadAttributes<typeof anything>>().toEqualTypeOf<{ title: string; year: number }>()
  })

  it('may have the names of a class or of an interface that is extended', () => {
    class Base {
      id = 0
      createdAt = new Date()
    }
    class Song extends Base {
      title = ''
      play(): void {}
    }
    const songs = defineResource('songs', {
      model: model<Song>('songs'),
      id: id(),
      attributes: (a) => ({ title: a.string(), createdAt: a.dateTime().readOnly() }),
    })
    expectTypeOf<ReadAttributes<typeof songs>>().toEqualTypeOf<{ title: string; createdAt: string }>()
  })
})

describe('sets of values', () => {
  const Status = enumeration('Status', { upcoming: 'Announced.', released: 'Out.' })
  const Format = enumeration('Format', ['disc', 'file'])
  const genres = ['rock', 'pop'] as const
  /** As a TypeScript enum compiles to. */
  const Level = { 1: 'low', 2: 'high', low: 1, high: 2 } as const
  const Side = { A: 'a', B: 'b' } as const
  const widened: readonly string[] = ['x', 'y']

  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      listed: a.string().in(['x', 'y']).storedAs('title'),
      constant: a.string().in(genres).storedAs('title'),
      widened: a.string().in(widened).storedAs('title'),
      described: a.string().enum(Status).storedAs('title'),
      named: a.string().enum(Format).storedAs('title'),
      members: a.string().enum(Side).storedAs('title'),
      enumList: a.string().enum(['x', 'y']).storedAs('title'),
      narrowedTwice: a.string().in(['x', 'y', 'z']).enum(['x', 'y']).storedAs('title'),
      numbers: a.integer().in([1, 2, 3]).storedAs('year'),
      flag: a.boolean().in([true]).storedAs('explicit'),
      nullableSet: a.string().nullable().in(genres).storedAs('subtitle'),
      except: a.string().notIn(['x']).storedAs('title'),
      level: a.integer().enum(Level).storedAs('year'),
    }),
  })

  it('may be TypeScript enums, of names or of numbers', () => {
    const moods = defineResource('moods', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        speed: a.integer().enum(Speed).storedAs('year'),
        mood: a.string().enum(Mood).storedAs('title'),
        calm: a.string().in([Mood.calm]).storedAs('title'),
      }),
    })
    expectTypeOf<ReadAttributes<typeof moods>['speed']>().toEqualTypeOf<Speed>()
    expectTypeOf<ReadAttributes<typeof moods>['mood']>().toEqualTypeOf<Mood>()
    expectTypeOf<ReadAttributes<typeof moods>['calm']>().toEqualTypeOf<Mood.calm>()
  })

  it('narrow the values that are read and written', () => {
    expectTypeOf<ReadAttributes<typeof albums>>().toEqualTypeOf<{
      listed: 'x' | 'y'
      constant: 'rock' | 'pop'
      widened: string
      described: 'upcoming' | 'released'
      named: 'disc' | 'file'
      members: 'a' | 'b'
      enumList: 'x' | 'y'
      narrowedTwice: 'x' | 'y'
      numbers: 1 | 2 | 3
      flag: true
      nullableSet: 'rock' | 'pop' | null
      except: string
      level: 1 | 2
    }>()
    expectTypeOf<CreateAttributes<typeof albums>['described']>().toEqualTypeOf<'upcoming' | 'released' | undefined>()
  })

  it('restrict the results of callbacks', () => {
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        age: a
          .string()
          .in(['old', 'new'])
          .computed((row) => (row.year < 2000 ? 'old' : 'new')),
        side: a
          .string()
          .enum(Side)
          .nullable()
          .serializeUsing((row) => (row.explicit ? Side.A : null))
          .readOnly(),
      }),
    })
  })
})

describe('composites', () => {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      info: a
        .map()
        .fields({ label: a.string().nullable(), place: a.integer().required().storedAs('shelf') })
        .required(),
      size: a.object().fields({
        width: a.integer().required(),
        height: a.integer().storedAs('tall'),
        unit: a.string().in(['cm', 'in']).nullable(),
        area: a.integer().readOnly(),
        secret: a.string().writeOnly(),
      }),
      medium: a
        .oneOf()
        .discriminator('kind')
        .variant('disc', { sides: a.integer().required() })
        .variant('file', { format: a.string().in(['flac', 'mp3']), bytes: a.integer().readOnly() })
        .nullable(),
      other: a.oneOf().variant('only', {}).storedAs('medium'),
    }),
  })
  type Read = ReadAttributes<typeof albums>
  type Create = CreateAttributes<typeof albums>
  type Update = UpdateAttributes<typeof albums>

  it('are read with the members that are shown', () => {
    expectTypeOf<Read['info']>().toEqualTypeOf<{ label: string | null; place: number }>()
    expectTypeOf<Read['size']>().toEqualTypeOf<{
      width: number
      height: number
      unit: 'cm' | 'in' | null
      area: number
    }>()
    expectTypeOf<Read['medium']>().toEqualTypeOf<
      { kind: 'disc'; sides: number } | { kind: 'file'; format: 'flac' | 'mp3'; bytes: number } | null
    >()
    expectTypeOf<Read['other']>().toEqualTypeOf<{ type: 'only' }>()
  })

  it('are created with the members that are required', () => {
    expectTypeOf<Create['info']>().toEqualTypeOf<{ label?: string | null; place: number }>()
    expectTypeOf<Create['size']>().toEqualTypeOf<
      { width: number; height?: number; unit?: 'cm' | 'in' | null; secret?: string } | undefined
    >()
    expectTypeOf<Create['medium']>().toEqualTypeOf<
      { kind: 'disc'; sides: number } | { kind: 'file'; format?: 'flac' | 'mp3' } | null | undefined
    >()
  })

  it('are changed member by member', () => {
    expectTypeOf<Update['info']>().toEqualTypeOf<{ label?: string | null; place?: number } | undefined>()
    expectTypeOf<Update['medium']>().toEqualTypeOf<
      { kind: 'disc'; sides?: number } | { kind: 'file'; format?: 'flac' | 'mp3' } | null | undefined
    >()
  })

  it('may contain composites', () => {
    const nested = defineResource('nested', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        size: a.object().fields({ inner: a.object().fields({ deep: a.integer().required() }) }),
      }),
    })
    expectTypeOf<ReadAttributes<typeof nested>>().toEqualTypeOf<{ size: { inner: { deep: number } } }>()
    expectTypeOf<CreateAttributes<typeof nested>>().toEqualTypeOf<{ size?: { inner?: { deep: number } } }>()
  })

  it('may be computed from the row', () => {
    const computed = defineResource('computed', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({
        box: a
          .object()
          .fields({ area: a.integer(), label: a.string().nullable() })
          .computed((row) => ({ area: row.size.width * row.size.height, label: row.label })),
      }),
    })
    expectTypeOf<ReadAttributes<typeof computed>>().toEqualTypeOf<{ box: { area: number; label: string | null } }>()
  })
})

/** A declaration for whatever has a name. */
function named<Row extends { id: number; name: string }>(table: string) {
  return defineResource('named', {
    model: model<Row>(table),
    id: id(),
    attributes: (a) => ({ name: a.string().computed((row) => row.name) }),
  })
}

describe('a declaration', () => {
  it('knows the row in every callback', () => {
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => {
        expectTypeOf(a).toEqualTypeOf<AttributeKit<AlbumRow>>()
        return {
          title: a.string().computed((row, context, name) => {
            expectTypeOf(row).toEqualTypeOf<AlbumRow>()
            expectTypeOf(context.operation).toExtend<string>()
            expectTypeOf(name).toEqualTypeOf<string>()
            return row.title
          }),
        }
      },
      relations: (r) => {
        expectTypeOf(r).toEqualTypeOf<RelationKit<AlbumRow>>()
        return {
          artist: r
            .belongsTo('artists')
            .via('artistId')
            .cannotBeIncluded(({ server }) => server === 'public')
            .includableIf(({ server }) => server === 'admin')
            .filterableIf('audit')
            .when(
              () => true,
              (relation) => relation.required(),
            )
            .hidden((row) => row.year < 1900)
            .cannotReplace((row, { server }) => row.explicit && server === 'public'),
          subject: r.morphTo(['artists', 'tracks']).via('artistId', 'title'),
          tracks: r.hasMany('tracks').identifierMeta((parent, related) => {
            expectTypeOf(parent).toEqualTypeOf<AlbumRow>()
            return { first: parent.title, second: related['title'] }
          }),
        }
      },
      defaultIncludes: (row) => (row.explicit ? ['artist'] : []),
      objectType: (row) => (row.explicit ? 'albums' : null),
      meta: (row, { server }) => ({ server, year: row.year }),
      links: (row) => ({ cover: `/covers/${row.id}` }),
    })
  })

  it('knows the row wherever the model is declared, and the attributes after their declaration', () => {
    const albums = defineResource('albums', {
      // Lists are inferred last; functions from top to bottom, so that filters and sorts come after the members that they use.
      defaultSort: ['-title'],
      defaultIncludes: ['artist'],
      relations: (r) => ({ artist: r.belongsTo('artists').via('artistId') }),
      attributes: (a) => ({ title: a.string().sortable(), age: a.integer().computed((row) => 2000 - row.year) }),
      filters: (f) => ({ age: f.greaterThan('age'), year: f.where('year') }),
      sorts: (s) => ({ oldest: s.field('age') }),
      id: id(),
      model: model<AlbumRow>('albums'),
    })
    expectTypeOf<ReadAttributes<typeof albums>>().toEqualTypeOf<{ title: string; age: number }>()
  })

  it('takes relations from free functions and from the kit', () => {
    const albums = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      relations: {
        artist: belongsTo('artists').via('artistId').required(),
        cover: hasOne('covers').via('albumId'),
        tracks: hasMany('tracks').minItems(1),
        genres: belongsToMany('genres')
          .through('albumGenres', { owner: 'albumId', member: 'genreId' })
          .fields((a) => ({ position: a.integer().min(1) })),
        subject: morphTo(['artists', 'tracks']),
        favourites: morphToMany(['artists', 'albums']).through('favourites'),
      },
      defaultIncludes: ['artist', 'tracks'],
    })
    expectTypeOf(albums.type).toEqualTypeOf<'albums'>()
    expectTypeOf<ReadAttributes<typeof albums>>().toEqualTypeOf<{}>()
  })

  it('checks default includes and default sorts against the results of functions', () => {
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string().sortable(), year: a.integer() }),
      relations: (r) => ({ artist: r.belongsTo('artists'), tracks: hasMany('tracks') }),
      filters: (f) => ({ title: f.contains(), year: f.range('year'), 'artist.name': f.through() }),
      sorts: (s) => ({ newest: s.field('releasedAt'), artist: s.through('artist.name') }),
      defaultSort: ['-newest', 'title', '-artist', 'id'],
      defaultIncludes: ['tracks', 'artist'],
    })
  })

  it('knows filters, sorts and include paths that only some requests may use', () => {
    const albums = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string().required().sortableIf(staff), year: a.integer().sortableIf('audit') }),
      relations: (r) => ({ artist: r.belongsTo('artists').includableIf(staff).filterableIf('audit') }),
      filters: (f) => ({
        title: f.contains().usableIf((context) => {
          expectTypeOf(context).toEqualTypeOf<RequestContext>()
          return context.caller !== null
        }),
        year: f.range().usableIf('audit').describedAs('The year.'),
      }),
      sorts: (s) => ({ newest: s.field('releasedAt').usableIf(staff), releasedAt: s.field().usableIf('audit') }),
      defaultSort: ['-newest', 'title', '-year', 'releasedAt'],
      defaultIncludes: ['artist'],
      allowedIncludePaths: ['artist', { path: 'artist.label', usableIf: staff }],
    })
    expectTypeOf<CreateAttributes<typeof albums>>().toEqualTypeOf<{ title: string; year?: number }>()
  })

  it('takes attributes that are declared elsewhere', () => {
    const shared = (a: AttributeKit<AlbumRow>) => ({ title: a.string().required().sortable() })
    const albums = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: shared,
      defaultSort: ['-title'],
    })
    const both = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ ...shared(a), year: a.integer() }),
      sorts: (s) => ({ newest: s.field('releasedAt') }),
      defaultSort: ['-newest'],
    })
    expectTypeOf<CreateAttributes<typeof albums>>().toEqualTypeOf<{ title: string }>()
    expectTypeOf<CreateAttributes<typeof both>>().toEqualTypeOf<{ title: string; year?: number }>()
  })

  it('may be made by a function of the row', () => {
    const artists = named<{ id: number; name: string; born: number }>('artists')
    expectTypeOf<ReadAttributes<typeof artists>>().toEqualTypeOf<{ name: string }>()
  })

  it('is served differently, or under another type, with the same fields', () => {
    const albums = defineResource('albums', {
      model: model<AlbumRow & { twinId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string().required() }),
      relations: { twin: belongsTo('records') },
    })
    const hidden = albums.with({ server: 'admin', readOnly: true })
    const records = albums.with({ type: 'records', operations: ['FetchOne'] })
    expectTypeOf(hidden.type).toEqualTypeOf<'albums'>()
    expectTypeOf(records.type).toEqualTypeOf<'records'>()
    expectTypeOf<ReadAttributes<typeof records>>().toEqualTypeOf<ReadAttributes<typeof albums>>()
    type Twins = ReturnType<typeof createServer<readonly [typeof hidden, typeof records]>>
    expectTypeOf<TypeName<Twins>>().toEqualTypeOf<'albums' | 'records'>()
    expectTypeOf<IncludePath<Twins, 'albums', 2>>().toEqualTypeOf<'twin' | 'twin.twin'>()
  })
})

describe('a type made of capabilities', () => {
  const countries = defineType('countries', {
    fields: (a) => ({ code: id(), name: a.string().required(), motto: a.string().nullable().readOnly() }),
    relations: { artists: hasMany('artists') },
    serializer: { members: ['name'], serialize: (row) => ({ id: String(row['code']), attributes: {} }) },
    operations: ['FetchOne'],
    defaultIncludes: ['artists'],
  })

  it('has the attributes of its inventory, without the id', () => {
    expectTypeOf(countries.type).toEqualTypeOf<'countries'>()
    expectTypeOf<ReadAttributes<typeof countries>>().toEqualTypeOf<{ name: string; motto: string | null }>()
    expectTypeOf<CreateAttributes<typeof countries>>().toEqualTypeOf<{ name: string }>()
  })

  it('may have no attributes at all', () => {
    const flags = defineType('flags', { fields: () => ({ code: id() }) })
    expectTypeOf<ReadAttributes<typeof flags>>().toEqualTypeOf<{}>()
  })
})

describe('include paths', () => {
  const rows = { id: id() }
  const albums = defineResource('albums', {
    ...rows,
    model: model<{ id: number; artistId: number }>('albums'),
    relations: {
      artist: belongsTo('artists'),
      tracks: hasMany('tracks'),
      audit: hasOne('audits').cannotBeIncluded(),
      draft: hasOne('audits')
        .cannotBeIncluded(() => true)
        .includableIf('audit'),
    },
  })
  const artists = defineResource('artists', {
    ...rows,
    model: model<{ id: number }>('artists'),
    relations: { albums: hasMany('albums') },
  })
  const tracks = defineResource('tracks', {
    ...rows,
    model: model<{ id: number; albumId: number }>('tracks'),
    relations: { album: belongsTo('albums') },
  })
  const audits = defineResource('audits', { ...rows, model: model<{ id: number }>('audits') })
  const notes = defineResource('notes', {
    ...rows,
    model: model<{ id: number }>('notes'),
    relations: { subject: morphTo(['tracks', 'artists']) },
  })
  type Server = ReturnType<
    typeof createServer<readonly [typeof albums, typeof artists, typeof tracks, typeof audits, typeof notes]>
  >

  it('follow a cycle as deep as requested', () => {
    expectTypeOf<IncludePath<Server, 'artists', 1>>().toEqualTypeOf<'albums'>()
    expectTypeOf<IncludePath<Server, 'artists', 2>>().toEqualTypeOf<
      'albums' | 'albums.artist' | 'albums.tracks' | 'albums.draft'
    >()
    expectTypeOf<IncludePath<Server, 'artists'>>().toEqualTypeOf<
      'albums' | 'albums.artist' | 'albums.tracks' | 'albums.draft' | 'albums.artist.albums' | 'albums.tracks.album'
    >()
    expectTypeOf<'albums.artist.albums.artist.albums'>().toExtend<IncludePath<Server, 'artists', 5>>()
  })

  it('leave out only relations that cannot be included', () => {
    expectTypeOf<IncludePath<Server, 'albums', 1>>().toEqualTypeOf<'artist' | 'tracks' | 'draft'>()
  })

  it('follow every target of a polymorphic relation', () => {
    expectTypeOf<IncludePath<Server, 'notes', 2>>().toEqualTypeOf<'subject' | 'subject.album' | 'subject.albums'>()
  })

  it('end where a type has no relations', () => {
    expectTypeOf<IncludePath<Server, 'audits'>>().toEqualTypeOf<never>()
  })

  const build = () => createServer({ resources: [albums, artists, tracks, audits] })

  it('are known for a built server', () => {
    expectTypeOf<TypeName<ReturnType<typeof build>>>().toEqualTypeOf<'albums' | 'artists' | 'tracks' | 'audits'>()
    expectTypeOf<IncludePath<ReturnType<typeof build>, 'tracks', 2>>().toEqualTypeOf<
      'album' | 'album.artist' | 'album.tracks' | 'album.draft'
    >()
  })
})

describe('custom providers, persisters and hooks', () => {
  interface TrackRow {
    id: number
  }

  it('know the rows of the model', () => {
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      hooks: {
        beforeSave(draft, creating, context) {
          expectTypeOf(draft.year).toEqualTypeOf<number | undefined>()
          expectTypeOf(creating).toEqualTypeOf<boolean>()
          expectTypeOf(context.rows<TrackRow>('tracks').find(1)).resolves.toEqualTypeOf<TrackRow | null>()
        },
        beforeUpdate(_draft, original) {
          expectTypeOf(original).toEqualTypeOf<Readonly<AlbumRow>>()
        },
        beforeRelationshipMutate(parent, { mode }) {
          expectTypeOf(parent.title).toEqualTypeOf<string>()
          expectTypeOf(mode).toEqualTypeOf<'replace' | 'add' | 'remove'>()
        },
        afterFetchCollection(rows) {
          expectTypeOf(rows).toEqualTypeOf<readonly Readonly<AlbumRow>[]>()
        },
      },
      completionLocation(row) {
        expectTypeOf(row).toEqualTypeOf<AlbumRow>()
        return null
      },
    })
  })

  it('know what they decorate', () => {
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      provider(store) {
        expectTypeOf(store).toEqualTypeOf<Provider>()
        return store
      },
      persister: (store) => ({
        ...store,
        create(type, values, write) {
          expectTypeOf(values).toEqualTypeOf<Readonly<Record<string, unknown>>>()
          expectTypeOf(write.context).toEqualTypeOf<WorkContext>()
          return store.create(type, values, write)
        },
      }),
    })
  })
})
