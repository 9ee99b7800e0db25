import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds, listCase } from '../case-declaration.js'

const equality = casesNeeding([], {
  'text is equal only if all characters are equal': listCase('/albums?filter[title]=Kid A', ['2']),
  'text is compared by code points': listCase('/albums?filter[titleFrom]=kid a', ['3', '6', '7', '8']),
  'the operator != finds all rows with other values': listCase('/albums?filter[titleNot]=Kid A', [
    '1',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
  'numbers are equal by value': listCase('/albums?filter[price]=9.50', ['1', '3']),
  'numbers are compared by value': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[above]=9.5', ['2', '4'])
    await expectIds(catalogue, '/albums?filter[atLeast]=9.5', ['1', '2', '3', '4'])
    await expectIds(catalogue, '/albums?filter[below]=9.5', ['6', '7'])
    await expectIds(catalogue, '/albums?filter[atMost]=9.5', ['1', '3', '6', '7'])
  },
  'integers are compared by value': listCase('/albums?filter[discs]=10', ['3']),
  'zero and negative numbers are found': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[price]=0', ['6'])
    await expectIds(catalogue, '/albums?filter[price]=-1.5', ['7'])
  },
  'false is not null': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[explicit]=false', ['1', '2', '6'])
    await expectIds(catalogue, '/albums?filter[explicit]=true', ['3', '5', '8'])
  },
  'date-times are equal if they are the same instant, in any time zone': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[addedAt]=2024-01-01T09:00:00-01:00', ['1', '6'])
    await expectIds(catalogue, '/albums?filter[addedAt]=2024-01-01T10:00:00.500Z', ['2'])
  },
  'dates are equal if they are the same day': listCase('/albums?filter[releasedOn]=1997-05-21', ['1']),
  'a column without an attribute is compared by its stored type': listCase('/albums?filter[artistId]=1', [
    '1',
    '2',
    '8',
  ]),
  'all conditions must hold': listCase('/albums?filter[price]=9.5&filter[explicit]=true', ['3']),
})

const ranges = casesNeeding([], {
  'a range includes both bounds': listCase('/albums?filter[prices][min]=0&filter[prices][max]=12.25', [
    '1',
    '2',
    '3',
    '6',
  ]),
  'a range without a bound is open on that side': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[prices][min]=10', ['2', '4'])
    await expectIds(catalogue, '/albums?filter[prices][max]=0', ['6', '7'])
  },
  'a range of date-times is exact to the millisecond': async (catalogue) => {
    const from = '2024-01-01T10:00:00.000Z'
    await expectIds(catalogue, `/albums?filter[added][min]=${from}&filter[added][max]=${from}`, ['1', '6'])
    await expectIds(catalogue, `/albums?filter[added][max]=2024-01-01T09:59:59.999Z`, ['3', '8'])
  },
  'a range of dates includes its last day': listCase(
    '/albums?filter[released][min]=1997-05-21&filter[released][max]=1999-06-12',
    ['1', '6'],
  ),
})

const sets = casesNeeding([], {
  'a set finds rows with one of its values': listCase('/albums?filter[titles]=Kid A,kid a,Nothing', ['2', '3']),
  'a negated set finds rows with none of its values': listCase('/albums?filter[titlesNot]=Kid A,kid a', [
    '1',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
  'a set of numbers is compared by value': listCase('/albums?filter[pricesIn]=9.50,100.0', ['1', '3', '4']),
  'a set of ids finds rows by key and ignores invalid keys': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[id]=3,1,01,one,99', ['1', '3'])
    await expectIds(catalogue, '/albums?filter[id]=01', [])
  },
  'a negated set of ids finds all other rows': listCase('/albums?filter[idNot]=1,2,03,one', [
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
})

const nulls = casesNeeding([], {
  'isNull finds rows with null, and isNotNull finds the others': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[unpriced]', ['5', '8'])
    await expectIds(catalogue, '/albums?filter[priced]', ['1', '2', '3', '4', '6', '7'])
  },
  'null is neither equal nor unequal to a value': listCase('/albums?filter[priceNot]=9.5', ['2', '4', '6', '7']),
  'null is in no set and in no negated set': listCase('/albums?filter[pricesNot]=9.5,100', ['2', '6', '7']),
  'null is in no range': listCase('/albums?filter[prices][min]=-1000', ['1', '2', '3', '4', '6', '7']),
})

const texts = casesNeeding([], {
  'contains ignores the case of ASCII letters': listCase('/albums?filter[contains]=KID', ['2', '3']),
  'startsWith and endsWith ignore the case of ASCII letters': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[starts]=ok c', ['1'])
    await expectIds(catalogue, '/albums?filter[ends]=BREW', ['4'])
    await expectIds(catalogue, '/albums?filter[starts]=Brew', [])
    await expectIds(catalogue, '/albums?filter[ends]=Bitches', [])
  },
  'contains respects the case of letters beyond ASCII': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[contains]=ÁGÆTIS', [])
    await expectIds(catalogue, '/albums?filter[contains]=ÁGætis', ['6'])
  },
  '% and _ are no wildcards': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[contains]=%', ['5'])
    await expectIds(catalogue, '/albums?filter[contains]=_', ['5'])
    await expectIds(catalogue, '/albums?filter[starts]=O_', [])
  },
  'a backslash and a quote have no special meaning': async (catalogue) => {
    for (const part of ['\\', "'", "\\'"]) await expectIds(catalogue, `/albums?filter[contains]=${part}`, ['7'])
    await expectIds(catalogue, "/albums?filter[title]=\uFF71\\'\uFF72", ['7'])
    await expectIds(catalogue, '/albums?filter[contains]=\\\\', [])
    await expectIds(catalogue, "/albums?filter[title]=' or ''='", [])
  },
})

const listed = casesNeeding([], {
  'a list equals a value if one of its items does': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[genre]=rock', ['1', '2', '7'])
    await expectIds(catalogue, '/albums?filter[genre]=roc', [])
  },
  'a list is in a set if one of its items is': listCase('/albums?filter[genres]=jazz,electronic', ['2', '3', '4', '7']),
  'a list is unequal to a value if none of its items is equal': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[genreNot]=rock', ['3', '4', '5', '8'])
    await expectIds(catalogue, '/albums?filter[genresNot]=rock,jazz', ['3', '5', '8'])
  },
  'an empty list is not null': listCase('/albums?filter[withoutGenres]', ['6']),
})

const groups = casesNeeding([], {
  'any() finds rows that meet one of its conditions': listCase('/albums?filter[either]=b', ['4']),
  'all() finds rows that meet all of its conditions': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[either]=k', ['2', '3'])
    await expectIds(catalogue, '/albums?filter[both]=k', [])
  },
})

const through = casesNeeding(['relations'], {
  'a condition follows a to-one relation': listCase('/albums?filter[artist.name]=Radiohead', ['1', '2', '8']),
  'a condition follows a to-many relation and needs one matching member': listCase(
    '/artists?filter[albums.title]=Kid A',
    ['1'],
  ),
  'has and doesntHave find rows by a to-one relation': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[hasArtist]', ['1', '2', '3', '4', '5', '8'])
    await expectIds(catalogue, '/albums?filter[hasNoArtist]', ['6', '7'])
  },
  'has and doesntHave find rows by a to-many relation': async (catalogue) => {
    await expectIds(catalogue, '/artists?filter[hasAlbums]&page[size]=10', ['1', '2', '3'])
    await expectIds(catalogue, '/artists?filter[hasNoAlbums]&page[size]=10', ['4'])
  },
  'a condition on a to-one relation tests the first of several rows by key': async (catalogue) => {
    await expectIds(catalogue, '/artists?filter[portrait.file]=first.png', ['1'])
    await expectIds(catalogue, '/artists?filter[portrait.file]=second.png', [])
  },
})

const throughJoins = casesNeeding(['joins'], {
  'a condition follows a relation with join rows': listCase('/albums?filter[playlists.title]=At home', ['1']),
  'doesntHave finds rows without join rows': listCase('/albums?filter[onNoPlaylist]', ['4', '5', '6', '7', '8']),
})

/** Cases of filters, and of null in filters. */
export const filterCases: readonly CaseDeclaration[] = [
  ...equality,
  ...ranges,
  ...sets,
  ...nulls,
  ...texts,
  ...listed,
  ...groups,
  ...through,
  ...throughJoins,
]
