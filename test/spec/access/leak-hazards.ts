import * as fc from 'fast-check'
import { type TypeName, typeNames } from './leak-rows.js'
import { openRules, type Rule, type Rules, type TypeRules } from './leak-rules.js'

/*
 * Rules with which everybody may do nearly everything. Random rules for everything seldom permit all the other parts of a request,
 * so that the one check which matters is not reached.
 */

type Partly = Readonly<Partial<Record<TypeName, Partial<TypeRules>>>>

const own: Rule = { kind: 'own' }
const open: Rule = { kind: 'open' }
const loose: Rule = { kind: 'loose' }
const upTo = (level: number): Rule => ({ kind: 'upTo', level })
const not = (rule: Rule): Rule => ({ kind: 'not', rule })
const related = (relation: string, rule: Rule | null): Rule => ({ kind: 'related', relation, rule })

const anyRow = fc.constantFrom<Rule>(own, open, upTo(2), { kind: 'untilNoon' })
const anyType = fc.constantFrom(...typeNames)
const anyUpdated = fc.constantFrom('labels', 'artists', 'albums', 'tracks', 'playlists', 'notes' as const)

const hazards: readonly fc.Arbitrary<Partly>[] = [
  // A rule over a column that an attribute shows as another kind.
  fc.constantFrom<Partly>(
    { labels: { view: { kind: 'untilNoon' } } },
    { tracks: { view: upTo(2) } },
    { biographies: { update: { kind: 'untilNoon' } } },
    { labels: { view: not({ kind: 'untilNoon' }) } },
  ),
  // Rows whose key, or type, others hold.
  fc
    .tuple(fc.constantFrom('editions', 'labels', 'artists', 'albums' as const), anyRow)
    .map(([type, view]): Partly => ({ [type]: { view } })),
  // A relation with an ability of its own, whose key the other side holds.
  anyRow.map((alter): Partly => ({ albums: { isGuarded: true, alter } })),
  // `true` stands for the usual ability.
  fc.tuple(anyType, anyRow).map(([type, update]): Partly => ({ [type]: { update, overrides: { Update: true } } })),
  // A field that some rows hide.
  fc
    .tuple(fc.constantFrom('labels', 'albums', 'playlists' as const), anyRow)
    .map(([type, reveal]): Partly => ({ [type]: { isGuarded: true, reveal } })),
  // A row that must stay as a rule wants it.
  fc.tuple(anyUpdated, anyRow).map(([type, updated]): Partly => ({ [type]: { updated } })),
]

/** Only a few requests reach what is wrong with these. */
const narrow: readonly fc.Arbitrary<Partly>[] = [
  // A rule over a relation that is also changed from its other side.
  fc
    .tuple(fc.constantFrom('view', 'view', 'view', 'update', 'updated' as const), fc.option(anyRow), fc.boolean())
    .map(([ability, rule, isNegated]): Partly => {
      const byTracks = related('tracks', rule)
      return { playlists: { [ability]: isNegated ? not(byTracks) : byTracks } }
    }),
  anyRow.map((rule): Partly => ({ tracks: { updated: related('playlists', rule) } })),
  // A relation that a caller may change and not read.
  fc
    .tuple(anyRow, fc.boolean())
    .map(([peruse, isChecked]): Partly => ({ playlists: { isGuarded: true, isChecked, peruse } })),
]

const oneHazard = fc.oneof(...hazards, ...narrow, ...narrow, ...narrow)

/** One of the hazards, and perhaps another one. */
const twoHazards: fc.Arbitrary<Partly> = fc
  .tuple(oneHazard, fc.option(oneHazard, { freq: 2 }))
  .map(([first, second]) => Object.fromEntries(typeNames.map((type) => [type, { ...second?.[type], ...first[type] }])))

/**
 * Members that the store writes, and that another provider reads. The rule is about their key, which the smaller database has only
 * if the row is visible. So no other row may be hidden.
 */
const membersElsewhere: fc.Arbitrary<Partly> = fc
  .tuple(fc.constantFrom('view', 'updated' as const), fc.constantFrom<Rule>(loose, not(loose), not(loose)))
  .map(([ability, rule]): Partly => ({ notes: { isReadElsewhere: true, [ability]: rule } }))

export const anyHazard: fc.Arbitrary<Rules> = fc
  .oneof({ weight: 3, arbitrary: twoHazards }, { weight: 1, arbitrary: membersElsewhere })
  .map((partly) => {
    const rules = typeNames.map((type): [TypeName, TypeRules] => [type, { ...openRules, ...partly[type] }])
    return Object.fromEntries(rules) as unknown as Rules
  })
