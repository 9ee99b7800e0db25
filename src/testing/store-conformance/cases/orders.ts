import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectListed, lists } from '../case-declaration.js'
import { onlyPriced } from '../catalogue-types.js'

const ofColumns = casesWith([], {
  'rows without an order are ordered by key': lists('/albums', ['1', '2', '3', '4', '5', '6', '7', '8']),
  'keys that are text are ordered by code points': lists('/playlists', ['empty', 'home', 'road']),
  'text is ordered by code points': lists('/albums?sort=title', ['5', '4', '2', '1', '3', '6', '7', '8']),
  'descending text is ordered the other way round': lists('/albums?sort=-title', [
    '8',
    '7',
    '6',
    '3',
    '1',
    '2',
    '4',
    '5',
  ]),
  'numbers are ordered by their size': lists('/albums?sort=price&filter[priced]', ['7', '6', '1', '3', '2', '4']),
  'whole numbers are ordered by their size': lists('/albums?sort=-discs&filter[above]=-10', [
    '7',
    '3',
    '2',
    '4',
    '1',
    '6',
  ]),
  'moments are ordered by their instant': lists('/albums?sort=addedAt', ['3', '8', '1', '6', '2', '5', '4', '7']),
  'days are ordered by their date': lists('/albums?sort=releasedOn', ['4', '1', '6', '2', '8', '3', '5', '7']),
  'false is before true': lists('/albums?sort=explicit', ['1', '2', '6', '3', '5', '8', '4', '7']),
  'null is the largest value in an ascending order': lists('/albums?sort=price', [
    '7',
    '6',
    '1',
    '3',
    '2',
    '4',
    '5',
    '8',
  ]),
  'null is the largest value in a descending order': lists('/albums?sort=-price', [
    '5',
    '8',
    '4',
    '2',
    '1',
    '3',
    '6',
    '7',
  ]),
  'null is the largest value of text too': async (catalogue) => {
    await expectListed(catalogue, '/artists?sort=country&page[size]=10', ['1', '2', '3', '4'])
    await expectListed(catalogue, '/artists?sort=-country&page[size]=10', ['4', '3', '2', '1'])
  },
  'rows that are equal in an order are ordered by the next, and then by key': async (catalogue) => {
    await expectListed(catalogue, '/albums?sort=discs,-price', ['5', '1', '6', '4', '2', '3', '8', '7'])
    await expectListed(catalogue, '/albums?sort=-discs,-id', ['8', '7', '3', '4', '2', '6', '5', '1'])
  },
})

const throughRelations = casesWith(['relations'], {
  'an order leads through a relation to one, and a row that is missing is null': async (catalogue) => {
    await expectListed(catalogue, '/albums?sort=artist.name', ['3', '4', '5', '1', '2', '8', '6', '7'])
    await expectListed(catalogue, '/albums?sort=-artist.name,-title', ['7', '6', '8', '1', '2', '4', '5', '3'])
  },
  'an order and the conditions of a type go together': lists(
    '/albums?sort=-artist.name,title',
    ['6', '7', '2', '1', '4', '3'],
    { headers: onlyPriced },
  ),
})

/** In which order rows come. */
export const orderCases: readonly CaseDeclaration[] = [...ofColumns, ...throughRelations]
