import { describe, expect, test } from 'vitest'
import { diffLines } from '../../src/tools/pull/merge/diff-text.js'
import { mergeSource } from '../../src/tools/pull/merge/merge-source.js'

const base = `import { belongsTo, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface AlbumRow {
  id: number
  title: string
  year: number | null
  artistId: number
}

export const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(160),
    year: a.integer().nullable(),
  }),
  relations: {
    artist: belongsTo('artists').required(),
  },
})
`

/** The same, with a longer title, a price, tracks and filters, and without a year. */
const pulled = `import { belongsTo, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/sql'

export interface AlbumRow {
  id: number
  title: string
  price: string
  artistId: number
}

export const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200),
    price: a.decimal().required(),
  }),
  relations: {
    artist: belongsTo('artists').required(),
    tracks: hasMany('tracks'),
  },
  filters: (f) => ({
    title: f.where(),
  }),
})
`

/** Manual edits: another format, a comment, a modifier, an attribute and a policy. */
const edited = `import { belongsTo, defineResource, id } from "ashlar";
import { table } from "ashlar/sql";
import { withToken } from "../policies.js";

export interface AlbumRow {
  id: number;
  title: string;
  year: number | null;
  artistId: number;
}

export const albums = defineResource("albums", {
  model: table<AlbumRow>("albums"),
  id: id(),
  attributes: (a) => ({
    // Shown on the cover.
    title: a.string().required().maxLength(160).sortable(),
    year: a.integer().nullable(),
    shouted: a.string().computed((row) => row.title.toUpperCase()),
  }),
  relations: { artist: belongsTo("artists").required().withData() },
  policy: withToken,
});
`

describe('mergeSource', () => {
  test('takes the changes of the database, and retains manual changes', () => {
    const { text, conflicts } = mergeSource({ base, pulled, edited })
    expect(conflicts).toEqual([])
    expect(text).toBe(`import { belongsTo, defineResource, hasMany, id } from "ashlar";
import { table } from "ashlar/sql";
import { withToken } from "../policies.js";

export interface AlbumRow {
  id: number;
  title: string;
  price: string;
  artistId: number;
}

export const albums = defineResource("albums", {
  model: table<AlbumRow>("albums"),
  id: id(),
  attributes: (a) => ({
    // Shown on the cover.
    title: a.string().required().maxLength(200).sortable(),
    price: a.decimal().required(),
    shouted: a.string().computed((row) => row.title.toUpperCase()),
  }),
  relations: { artist: belongsTo("artists").required().withData(), tracks: hasMany('tracks') },
  filters: (f) => ({
    title: f.where(),
  }),
  policy: withToken,
});
`)
  })

  test('merges its own result again without a change', () => {
    const { text } = mergeSource({ base, pulled, edited })
    expect(mergeSource({ base: pulled, pulled, edited: text })).toEqual({ text, conflicts: [] })
  })

  test('takes the pulled text as it is if the file was not edited', () => {
    expect(mergeSource({ base, pulled, edited: base })).toEqual({ text: pulled, conflicts: [] })
  })

  test('changes nothing if the database has not changed', () => {
    expect(mergeSource({ base, pulled: base, edited })).toEqual({ text: edited, conflicts: [] })
  })

  test('ignores changes of the format', () => {
    const reformatted = base.replaceAll("'", '"').replaceAll(/(?<=\w|\))$/gm, ';')
    const { text, conflicts } = mergeSource({ base, pulled, edited: reformatted })
    expect(conflicts).toEqual([])
    expect(text).toContain('maxLength(200)')
    expect(text).not.toContain('year')
  })

  test('retains what both have changed, and reports it', () => {
    const own = base
      .replace('maxLength(160)', 'maxLength(50)')
      .replace('a.integer().nullable()', 'a.integer().nullable().min(1860)')
    const { text, conflicts } = mergeSource({ base, pulled, edited: own })
    expect(text).toContain('maxLength(50)')
    expect(text).toContain('year: a.integer().nullable().min(1860)')
    expect(conflicts).toEqual([
      { path: ['const albums', 'attributes', 'title', 'maxLength'], pulled: '.maxLength(200)' },
      { path: ['const albums', 'attributes', 'year'], pulled: null },
    ])
  })

  test('does not bring back what was removed manually', () => {
    const own = base.replace('    title: a.string().required().maxLength(160),\n', '')
    const { text, conflicts } = mergeSource({ base, pulled, edited: own })
    expect(text).not.toContain('maxLength')
    expect(conflicts).toEqual([
      { path: ['const albums', 'attributes', 'title'], pulled: 'title: a.string().required().maxLength(200)' },
    ])
  })

  test('adds a new import without names before all others, once', () => {
    const effect = `import './environment.js'\n${base}`
    const edits = base.replace('import {', '// mine\nimport {')
    const { text } = mergeSource({ base, pulled: effect, edited: edits })
    expect(text).toBe(edits.replace('import {', "import './environment.js'\nimport {"))
    // Another change of the pull does not bring back what a user has removed.
    const changed = effect.replace("'albums'", "'records'")
    expect(mergeSource({ base: effect, pulled: changed, edited: edits }).text).not.toContain('environment')
    expect(mergeSource({ base, pulled: changed, edited: text }).text.match(/environment/g)).toHaveLength(1)
  })

  test('imports again what it needs, and drops what nothing uses', () => {
    const withoutRelations = base
      .replace(/ {2}relations: \{[^]*? {2}\},\n/, '')
      .replace('belongsTo, defineResource', 'defineResource')
    const { text } = mergeSource({
      base: withoutRelations,
      pulled,
      edited: `${withoutRelations}\nexport const extra = 1\n`,
    })
    expect(text).toContain("import { belongsTo, defineResource, hasMany, id } from 'ashlar'")
    const back = mergeSource({ base: pulled, pulled: withoutRelations, edited: `${pulled}\nexport const extra = 1\n` })
    expect(back.text).toContain("import { defineResource, id } from 'ashlar'")
    expect(back.text).toContain('export const extra = 1')
  })

  test('throws if brackets do not match', () => {
    expect(() => mergeSource({ base, pulled, edited: `${base}{` })).toThrow(SyntaxError)
  })
})

test('a difference shows the lines around it', () => {
  expect(diffLines('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nx\ne\nf\n').map(({ sign, text }) => `${sign}${text}`)).toEqual([
    ' b',
    ' c',
    '-d',
    '+x',
    ' e',
    ' f',
  ])
  expect(diffLines('', 'a\n')).toEqual([{ sign: '+', text: 'a' }])
  expect(diffLines('a\n', 'a\n')).toEqual([])
})
