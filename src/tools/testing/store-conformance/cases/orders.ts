import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds, listCase } from '../case-declaration.js'
import { onlyPricedHeaders } from '../catalogue-types.js'

const byColumn = casesNeeding([], {
  'rows without an order are ordered by key': listCase('/albums', ['1', '2', '3', '4', '5', '6', '7', '8']),
  'text keys are ordered by code points': listCase('/playlists', ['empty', 'home', 'road']),
  'text is ordered by code points': listCase('/albums?sort=title', ['5', '4', '2', '1', '3', '6', '7', '8']),
  'descending text is in reverse order': listCase('/albums?sort=-title', ['8', '7', '6', '3', '1', '2', '4', '5']),
  'numbers are ordered by value': listCase('/albums?sort=price&filter[priced]', ['7', '6', '1', '3', '2', '4']),
  'integers are ordered by value': listCase('/albums?sort=-discs&filter[above]=-10', ['7', '3', '4', '2', '6', '1']),
  'date-times are ordered by instant': listCase('/albums?sort=addedAt', ['3', '8', '1', '6', '2', '5', '4', '7']),
  'dates are ordered by day': listCase('/albums?sort=releasedOn', ['4', '1', '6', '2', '8', '3', '5', '7']),
  'false is before true': listCase('/albums?sort=explicit', ['1', '2', '6', '3', '5', '8', '4', '7']),
  'null is the largest value in an ascending order': listCase('/albums?sort=price', [
    '7',
    '6',
    '1',
    '3',
    '2',
    '4',
    '5',
    '8',
  ]),
  'null is the largest value in a descending order': listCase('/albums?sort=-price', [
    '8',
    '5',
    '4',
    '2',
    '3',
    '1',
    '6',
    '7',
  ]),
  'null is the largest value of a text column too': async (catalogue) => {
    await expectIds(catalogue, '/artists?sort=country&page[size]=10', ['1', '2', '3', '4'])
    await expectIds(catalogue, '/artists?sort=-country&page[size]=10', ['4', '3', '2', '1'])
  },
  'rows with equal values are ordered by the next sort, and then by key in the direction of the last sort': async (
    catalogue,
  ) => {
    await expectIds(catalogue, '/albums?sort=discs,-price', ['5', '1', '6', '4', '2', '3', '8', '7'])
    await expectIds(catalogue, '/albums?sort=discs,-explicit', ['5', '6', '1', '4', '2', '3', '7', '8'])
    await expectIds(catalogue, '/albums?sort=-discs,explicit', ['8', '7', '3', '2', '4', '1', '6', '5'])
    await expectIds(catalogue, '/albums?sort=-discs,-id', ['8', '7', '3', '4', '2', '6', '5', '1'])
  },
})

const throughRelations = casesNeeding(['relations'], {
  'an order follows a to-one relation, and a missing member counts as null': async (catalogue) => {
    await expectIds(catalogue, '/albums?sort=artist.name', ['3', '4', '5', '1', '2', '8', '6', '7'])
    await expectIds(catalogue, '/albums?sort=-artist.name,-title', ['7', '6', '8', '1', '2', '4', '5', '3'])
  },
  'an order by a key counts the key of a row that is not visible as null': async (catalogue) => {
    await expectIds(catalogue, '/comments?sort=subject', ['1', '2', '3', '6', '4', '5'])
    await expectIds(catalogue, '/comments?sort=-subject', ['5', '4', '6', '3', '2', '1'])
  },
  'an order works together with the scope of a type': listCase(
    '/albums?sort=-artist.name,title',
    ['6', '7', '2', '1', '4', '3'],
    { headers: onlyPricedHeaders },
  ),
})

/** Cases of the order of rows. */
export const orderCases: readonly CaseDeclaration[] = [...byColumn, ...throughRelations]
