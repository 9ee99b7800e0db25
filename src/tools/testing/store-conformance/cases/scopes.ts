import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding } from '../case-declaration.js'
import { expectSame } from '../expect-same.js'

const reads = casesNeeding([], {
  async 'fetchOne applies a scope, if it accepts scopes'({ scopes, shortcuts }) {
    if (!scopes.accepting('artists').fetchOne) return
    const isBritish = shortcuts.equals('artists', 'country', 'GB')
    const found = [await scopes.finds('artists', '1', isBritish), await scopes.finds('artists', '2', isBritish)]
    expectSame('Whether artists 1 and 2 are found in the scope of GB', found, [true, false])
  },
  async 'fetchCollection applies a scope, if it accepts scopes'({ scopes, shortcuts }) {
    if (!scopes.accepting('artists').fetchCollection) return
    const isBritish = shortcuts.equals('artists', 'country', 'GB')
    expectSame('The artists in the scope of GB', await scopes.list('artists', isBritish), ['1'])
  },
})

const related = casesNeeding(['relations'], {
  async 'fetchRelated applies the scope of a related type, if it accepts scopes'({ store, scopes, shortcuts }) {
    if (!scopes.accepting('artists').fetchRelated) return
    const owner = { type: 'artists', row: await store.row('artists', '1') }
    const isDouble = shortcuts.equals('albums', 'discs', 2)
    expectSame('The albums in the scope of 2 discs', await scopes.members(owner, 'albums', isDouble), ['2'])
  },
  async 'countRelated applies the scope of a related type, if it accepts scopes'({ store, scopes, shortcuts }) {
    if (!scopes.accepting('artists').countRelated) return
    const owner = { type: 'artists', row: await store.row('artists', '1') }
    const isDouble = shortcuts.equals('albums', 'discs', 2)
    expectSame('The number of albums in the scope of 2 discs', await scopes.count(owner, 'albums', isDouble), 1)
  },
})

/** Cases of the functions of a provider that state `acceptsScopes`. */
export const scopeCases: readonly CaseDeclaration[] = [...reads, ...related]
