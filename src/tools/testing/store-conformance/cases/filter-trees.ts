import { JSON_TYPE } from '../../../../core/document/media-type.js'
import { QUERY } from '../../../../core/http/request-method.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, idsOf, successOrErrors } from '../case-declaration.js'
import { expectSame } from '../expect-same.js'

/** Declares a case of one read with combined filters: the collection must have these ids, in this order. */
function treeCase(filter: object, ids: readonly string[], path: string = '/albums'): CaseDeclaration['run'] {
  return async ({ api }) => {
    const response = await api.request(QUERY, path, { headers: { 'Content-Type': JSON_TYPE }, body: { filter } })
    expectSame(`The ids of ${JSON.stringify(filter)}`, successOrErrors(response, idsOf), ids)
  }
}

const combined = casesNeeding(['filterTrees'], {
  'or finds rows that meet one of its filters': treeCase({ or: [{ title: 'Kid A' }, { price: 100 }] }, ['2', '4']),
  'and finds rows that meet all of its filters': treeCase({ and: [{ price: 9.5 }, { explicit: true }] }, ['3']),
  'an empty or finds nothing, and an empty and finds everything': async (catalogue) => {
    await treeCase({ or: [] }, [])(catalogue)
    await treeCase({ and: [], titles: ['Kid A', 'kid a'] }, ['2', '3'])(catalogue)
  },
  'operators may be nested': treeCase(
    { or: [{ and: [{ price: 9.5 }, { not: { explicit: true } }] }, { not: { or: [{ discs: 1 }, { discs: 2 }] } }] },
    ['1', '3', '7', '8'],
  ),
})

const negated = casesNeeding(['filterTrees'], {
  'not finds the rows that do not meet a filter, also those with null': treeCase({ not: { price: 9.5 } }, [
    '2',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
  'not finds rows with null that a range does not have': treeCase({ not: { prices: { min: -1000 } } }, ['5', '8']),
  'a negation of a negation finds the rows of the filter': treeCase({ not: { not: { price: 9.5 } } }, ['1', '3']),
  'not of several filters finds rows that do not meet one of them': treeCase(
    { not: { explicit: true, discs: 1 }, titles: ['kid a', '100% Pure_Jazz'] },
    ['3'],
  ),
  'not of a set with null finds the others and null': treeCase({ not: { pricesNot: [9.5, 100] } }, [
    '1',
    '3',
    '4',
    '5',
    '8',
  ]),
  'not finds rows by texts and lists': async (catalogue) => {
    await treeCase({ not: { contains: 'k' }, priced: true }, ['4', '6', '7'])(catalogue)
    await treeCase({ not: { genre: 'rock' } }, ['3', '4', '5', '6', '8'])(catalogue)
  },
})

const negatedRelations = casesNeeding(['filterTrees', 'relations'], {
  'not finds rows without a related row that meets a filter': treeCase({ not: { 'artist.name': 'Radiohead' } }, [
    '3',
    '4',
    '5',
    '6',
    '7',
  ]),
  'not of a filter through a to-many relation finds rows without any matching member': treeCase(
    { not: { 'albums.title': 'Kid A' } },
    ['2', '3'],
    '/artists',
  ),
})

/** Cases of filters that are combined by operators. */
export const filterTreeCases: readonly CaseDeclaration[] = [...combined, ...negated, ...negatedRelations]
