import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectListed, lists } from '../case-declaration.js'

const equality = casesWith([], {
  'text is equal only if all characters are equal': lists('/albums?filter[title]=Kid A', ['2']),
  'text is compared by code points': lists('/albums?filter[titleFrom]=kid a', ['3', '6', '7', '8']),
  'the operator != finds all rows with other values': lists('/albums?filter[titleNot]=Kid A', [
    '1',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
  'numbers are equal by value': lists('/albums?filter[price]=9.50', ['1', '3']),
  'numbers are compared by value': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[above]=9.5', ['2', '4'])
    await expectListed(catalogue, '/albums?filter[atLeast]=9.5', ['1', '2', '3', '4'])
    await expectListed(catalogue, '/albums?filter[below]=9.5', ['6', '7'])
    await expectListed(catalogue, '/albums?filter[atMost]=9.5', ['1', '3', '6', '7'])
  },
  'integers are compared by value': lists('/albums?filter[discs]=10', ['3']),
  'zero and negative numbers are found': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[price]=0', ['6'])
    await expectListed(catalogue, '/albums?filter[price]=-1.5', ['7'])
  },
  'false is not null': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[explicit]=false', ['1', '2', '6'])
    await expectListed(catalogue, '/albums?filter[explicit]=true', ['3', '5', '8'])
  },
  'date-times are equal if they are the same instant, in any time zone': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[addedAt]=2024-01-01T09:00:00-01:00', ['1', '6'])
    await expectListed(catalogue, '/albums?filter[addedAt]=2024-01-01T10:00:00.500Z', ['2'])
  },
  'dates are equal if they are the same day': lists('/albums?filter[releasedOn]=1997-05-21', ['1']),
  'a column without an attribute is compared by its stored type': lists('/albums?filter[artistId]=1', ['1', '2', '8']),
  'all conditions must hold': lists('/albums?filter[price]=9.5&filter[explicit]=true', ['3']),
})

const ranges = casesWith([], {
  'a range includes both bounds': lists('/albums?filter[prices][min]=0&filter[prices][max]=12.25', [
    '1',
    '2',
    '3',
    '6',
  ]),
  'a range without a bound is open on that side': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[prices][min]=10', ['2', '4'])
    await expectListed(catalogue, '/albums?filter[prices][max]=0', ['6', '7'])
  },
  'a range of date-times is exact to the millisecond': async (catalogue) => {
    const from = '2024-01-01T10:00:00.000Z'
    await expectListed(catalogue, `/albums?filter[added][min]=${from}&filter[added][max]=${from}`, ['1', '6'])
    await expectListed(catalogue, `/albums?filter[added][max]=2024-01-01T09:59:59.999Z`, ['3', '8'])
  },
  'a range of dates includes its last day': lists(
    '/albums?filter[released][min]=1997-05-21&filter[released][max]=1999-06-12',
    ['1', '6'],
  ),
})

const sets = casesWith([], {
  'a set finds rows with one of its values': lists('/albums?filter[titles]=Kid A,kid a,Nothing', ['2', '3']),
  'a negated set finds rows with none of its values': lists('/albums?filter[titlesNot]=Kid A,kid a', [
    '1',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
  'a set of numbers is compared by value': lists('/albums?filter[pricesIn]=9.50,100.0', ['1', '3', '4']),
  'a set of ids finds rows by key and ignores invalid keys': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[id]=3,1,01,one,99', ['1', '3'])
    await expectListed(catalogue, '/albums?filter[id]=01', [])
  },
  'a negated set of ids finds all other rows': lists('/albums?filter[idNot]=1,2,03,one', [
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
})

const nulls = casesWith([], {
  'isNull finds rows with null, and isNotNull finds the others': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[unpriced]', ['5', '8'])
    await expectListed(catalogue, '/albums?filter[priced]', ['1', '2', '3', '4', '6', '7'])
  },
  'null is neither equal nor unequal to a value': lists('/albums?filter[priceNot]=9.5', ['2', '4', '6', '7']),
  'null is in no set and in no negated set': lists('/albums?filter[pricesNot]=9.5,100', ['2', '6', '7']),
  'null is in no range': lists('/albums?filter[prices][min]=-1000', ['1', '2', '3', '4', '6', '7']),
})

const texts = casesWith([], {
  'contains ignores the case of ASCII letters': lists('/albums?filter[contains]=KID', ['2', '3']),
  'startsWith and endsWith ignore the case of ASCII letters': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[starts]=ok c', ['1'])
    await expectListed(catalogue, '/albums?filter[ends]=BREW', ['4'])
    await expectListed(catalogue, '/albums?filter[starts]=Brew', [])
    await expectListed(catalogue, '/albums?filter[ends]=Bitches', [])
  },
  'contains respects the case of letters beyond ASCII': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[contains]=ÁGÆTIS', [])
    await expectListed(catalogue, '/albums?filter[contains]=ÁGætis', ['6'])
  },
  '% and _ are no wildcards': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[contains]=%', ['5'])
    await expectListed(catalogue, '/albums?filter[contains]=_', ['5'])
    await expectListed(catalogue, '/albums?filter[starts]=O_', [])
  },
  'a backslash and a quote have no special meaning': async (catalogue) => {
    for (const part of ['\\', "'", "\\'"]) await expectListed(catalogue, `/albums?filter[contains]=${part}`, ['7'])
    await expectListed(catalogue, "/albums?filter[title]=\uFF71\\'\uFF72", ['7'])
    await expectListed(catalogue, '/albums?filter[contains]=\\\\', [])
    await expectListed(catalogue, "/albums?filter[title]=' or ''='", [])
  },
})

const listed = casesWith([], {
  'a list equals a value if one of its items does': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[genre]=rock', ['1', '2', '7'])
    await expectListed(catalogue, '/albums?filter[genre]=roc', [])
  },
  'a list is in a set if one of its items is': lists('/albums?filter[genres]=jazz,electronic', ['2', '3', '4', '7']),
  'a list is unequal to a value if none of its items is equal': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[genreNot]=rock', ['3', '4', '5', '8'])
    await expectListed(catalogue, '/albums?filter[genresNot]=rock,jazz', ['3', '5', '8'])
  },
  'an empty list is not null': lists('/albums?filter[withoutGenres]', ['6']),
})

const groups = casesWith([], {
  'any() finds rows that meet one of its conditions': lists('/albums?filter[either]=b', ['4']),
  'all() finds rows that meet all of its conditions': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[either]=k', ['2', '3'])
    await expectListed(catalogue, '/albums?filter[both]=k', [])
  },
})

const through = casesWith(['relations'], {
  'a condition follows a to-one relation': lists('/albums?filter[artist.name]=Radiohead', ['1', '2', '8']),
  'a condition follows a to-many relation and needs one matching member': lists('/artists?filter[albums.title]=Kid A', [
    '1',
  ]),
  'has and doesntHave find rows by a to-one relation': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[hasArtist]', ['1', '2', '3', '4', '5', '8'])
    await expectListed(catalogue, '/albums?filter[hasNoArtist]', ['6', '7'])
  },
  'has and doesntHave find rows by a to-many relation': async (catalogue) => {
    await expectListed(catalogue, '/artists?filter[hasAlbums]&page[size]=10', ['1', '2', '3'])
    await expectListed(catalogue, '/artists?filter[hasNoAlbums]&page[size]=10', ['4'])
  },
  'a condition on a to-one relation tests the first of several rows by key': async (catalogue) => {
    await expectListed(catalogue, '/artists?filter[portrait.file]=first.png', ['1'])
    await expectListed(catalogue, '/artists?filter[portrait.file]=second.png', [])
  },
})

const throughJoins = casesWith(['joins'], {
  'a condition follows a relation with join rows': lists('/albums?filter[playlists.title]=At home', ['1']),
  'doesntHave finds rows without join rows': lists('/albums?filter[onNoPlaylist]', ['4', '5', '6', '7', '8']),
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
