import { belongsTo, belongsToMany, defineResource, hasMany, hasOne, morphTo, morphToMany } from 'ashlar'
import { album } from './albums.js'

export const text = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: min() is for numbers: text takes minLength(), a list minItems(), a date after().
    a: a.string().min(3),
    // refuses: max() is for numbers: text takes maxLength(), a list maxItems(), a date before().
    b: a.email().max(3),
    // refuses: exclusiveMin() is for numbers.
    c: a.url().exclusiveMin(3),
    // refuses: exclusiveMax() is for numbers.
    d: a.uuid().exclusiveMax(3),
    // refuses: multipleOf() is for numbers.
    e: a.slug().multipleOf(3),
    // refuses: before() is for dates and times: a number takes max().
    f: a.ip().before('2020-01-01'),
    // refuses: format() is for dates and times: text takes pattern().
    g: a.string().format('YYYY'),
    // refuses: uniqueItems() is for lists: declare the attribute with a.arrayList().
    h: a.string().uniqueItems(),
    // refuses: maxProperties() is for open objects: declare the attribute with a.arrayHash().
    i: a.string().maxProperties(3),
    // refuses: fields() is for objects with declared keys: declare the attribute with a.map() or a.object().
    j: a.string().fields({}),
  }),
})

export const numbers = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: maxLength() is for text: this attribute has no length.
    a: a.integer().maxLength(3),
    // refuses: minLength() is for text: this attribute has no length.
    b: a.decimal().minLength(3),
    // refuses: pattern() is for text: this attribute is not text.
    c: a.integer().pattern(/a/),
    // refuses: before() is for dates and times: a number takes max().
    d: a.integer().before('2020-01-01'),
    // refuses: after() is for dates and times: a number takes min().
    e: a.decimal().after('2020-01-01'),
    // refuses: between() is for dates and times: a number takes min() and max().
    f: a.integer().between('2020-01-01', '2021-01-01'),
    // refuses: uuid() is for text: declare the attribute with a.uuid().
    g: a.integer().uuid(),
    // refuses: useTimezone() is for dates and times.
    h: a.integer().useTimezone('Europe/Paris'),
  }),
})

export const booleans = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: minItems() is for lists: declare the attribute with a.arrayList().
    a: a.boolean().minItems(3),
    // refuses: min() is for numbers
    b: a.boolean().min(3),
    // refuses: email() is for text: declare the attribute with a.email().
    c: a.boolean().email(),
  }),
})

export const moments = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: max() is for numbers: text takes maxLength(), a list maxItems(), a date before().
    a: a.dateTime().max(3),
    // refuses: maxLength() is for text
    b: a.date().maxLength(3),
    // refuses: each() is for lists: declare the attribute with a.arrayList().
    c: a.time().each(),
  }),
})

export const lists = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: maxLength() is for text
    a: a.arrayList().maxLength(3),
    // refuses: minProperties() is for open objects: declare the attribute with a.arrayHash().
    b: a.arrayList().minProperties(3),
    // refuses: sortValues() is for open objects: a list takes sorted().
    c: a.arrayList().sortValues(),
    // refuses: Argument of type '"date"' is not assignable to parameter of type '"bigint" | "boolean" | "integer" | "number" | "string"'.
    tags: a.arrayList().of('date'),
  }),
})

export const objects = defineResource('albums', {
  ...album,
  attributes: (a) => ({
    // refuses: maxItems() is for lists: declare the attribute with a.arrayList().
    a: a.arrayHash().maxItems(3),
    // refuses: sorted() is for lists: an open object takes sortKeys() or sortValues().
    b: a.arrayHash().sorted(),
    // refuses: of() is for lists: declare the attribute with a.arrayList().
    c: a.map().of('string'),
    // refuses: sortKeys() is for open objects: declare the attribute with a.arrayHash().
    d: a.object().sortKeys(),
    // refuses: variant() is for a choice of objects: declare the attribute with a.oneOf().
    e: a.arrayHash().variant('disc', {}),
    // refuses: minLength() is for text
    f: a.oneOf().minLength(1),
  }),
})

export const relations = {
  // refuses: minItems() is for hasMany() and belongsToMany().
  a: belongsTo('artists').minItems(1),
  // refuses: maxItems() is for hasMany() and belongsToMany().
  b: hasOne('covers').maxItems(1),
  // refuses: minItems() is for hasMany() and belongsToMany().
  c: morphTo(['albums', 'artists']).minItems(1),
  // refuses: maxItems() is for hasMany() and belongsToMany().
  d: morphToMany(['albums', 'artists']).maxItems(1),
  // refuses: through() is for belongsToMany() and morphToMany(): name the key column with via().
  e: hasMany('tracks').through('albumTracks'),
  // refuses: fields() is for belongsToMany(): only join rows have fields of their own.
  f: hasMany('tracks').fields(() => ({})),
  // refuses: fields() is for belongsToMany(): only its join rows have fields of their own.
  g: morphToMany(['albums', 'artists']).fields(() => ({})),
  // refuses: via() is for a key in the owner or the member: name the join table and its columns with through().
  h: belongsToMany('genres').via('albumId'),
  // refuses: Argument of type 'number' is not assignable to parameter of type 'string'.
  i: belongsTo(3),
}
