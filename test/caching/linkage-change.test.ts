import { belongsToMany, defineResource, id, model } from 'ashlar'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparedLinkage, linkageChange } from '../../src/serve/write/linkage/linkage-change.js'
import { context, servedType, withRelations } from '../render/rendered.js'
import { runs } from '../support/runs.js'

const things = servedType(
  defineResource('things', {
    model: model<{ id: number }>('things'),
    id: id(),
    relations: { others: belongsToMany('things').through('pairs', { owner: 'from', member: 'to' }) },
  }),
)
const relation = withRelations(things, { others: { to: [things] } }).relations.get('others')

test('without current members, a change is the same as by comparison', () => {
  if (relation === undefined) throw new Error('The relation is not declared.')
  const identifier = fc.record({ type: fc.constantFrom('things', 'others'), id: fc.constantFrom('1', '2', '3') })
  const members = fc.array(identifier.map((each) => ({ ...each, pivot: {}, pointer: '/data' })))
  fc.assert(
    fc.property(members, fc.constantFrom('add', 'replace', 'remove'), (sent, mode) => {
      const linkage = { relation, members: sent, pointer: '/data' } as Parameters<typeof linkageChange>[0]
      expect(linkageChange(linkage, mode, [], context)).toEqual(comparedLinkage(linkage, mode, [], context))
    }),
    { numRuns: runs(300) },
  )
})
