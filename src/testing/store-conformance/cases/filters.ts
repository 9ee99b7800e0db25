import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectListed, lists } from '../case-declaration.js'

const equality = casesWith([], {
  'equal text is the same text, letter by letter': lists('/albums?filter[title]=Kid A', ['2']),
  'text is compared by code points': lists('/albums?filter[titleFrom]=kid a', ['3', '6', '7', '8']),
  'what is not equal is all the others': lists('/albums?filter[titleNot]=Kid A', ['1', '3', '4', '5', '6', '7', '8']),
  'equal numbers are of the same size': lists('/albums?filter[price]=9.50', ['1', '3']),
  'a number is above or below another by its size': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[above]=9.5', ['2', '4'])
    await expectListed(catalogue, '/albums?filter[atLeast]=9.5', ['1', '2', '3', '4'])
    await expectListed(catalogue, '/albums?filter[below]=9.5', ['6', '7'])
    await expectListed(catalogue, '/albums?filter[atMost]=9.5', ['1', '3', '6', '7'])
  },
  'a whole number is compared as a number': lists('/albums?filter[discs]=10', ['3']),
  'zero and negative numbers are numbers': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[price]=0', ['6'])
    await expectListed(catalogue, '/albums?filter[price]=-1.5', ['7'])
  },
  'false is a value, and no null': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[explicit]=false', ['1', '2', '6'])
    await expectListed(catalogue, '/albums?filter[explicit]=true', ['3', '5', '8'])
  },
  'equal moments are the same instant, however it is written': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[addedAt]=2024-01-01T09:00:00-01:00', ['1', '6'])
    await expectListed(catalogue, '/albums?filter[addedAt]=2024-01-01T10:00:00.500Z', ['2'])
  },
  'equal days are the same day': lists('/albums?filter[releasedOn]=1997-05-21', ['1']),
  'a column without an attribute is compared as what it holds': lists('/albums?filter[artistId]=1', ['1', '2', '8']),
  'all conditions must hold': lists('/albums?filter[price]=9.5&filter[explicit]=true', ['3']),
})

const ranges = casesWith([], {
  'a range has both of its bounds': lists('/albums?filter[prices][min]=0&filter[prices][max]=12.25', [
    '1',
    '2',
    '3',
    '6',
  ]),
  'a range is open where it has no bound': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[prices][min]=10', ['2', '4'])
    await expectListed(catalogue, '/albums?filter[prices][max]=0', ['6', '7'])
  },
  'a range of moments goes by the millisecond': async (catalogue) => {
    const from = '2024-01-01T10:00:00.000Z'
    await expectListed(catalogue, `/albums?filter[added][min]=${from}&filter[added][max]=${from}`, ['1', '6'])
    await expectListed(catalogue, `/albums?filter[added][max]=2024-01-01T09:59:59.999Z`, ['3', '8'])
  },
  'a range of days has its last day': lists(
    '/albums?filter[released][min]=1997-05-21&filter[released][max]=1999-06-12',
    ['1', '6'],
  ),
})

const sets = casesWith([], {
  'a set finds what is one of its values': lists('/albums?filter[titles]=Kid A,kid a,Nothing', ['2', '3']),
  'a negated set finds what is none of its values': lists('/albums?filter[titlesNot]=Kid A,kid a', [
    '1',
    '4',
    '5',
    '6',
    '7',
    '8',
  ]),
  'a set of numbers goes by their size': lists('/albums?filter[pricesIn]=9.50,100.0', ['1', '3', '4']),
  'a set of ids finds rows by their keys, and nothing by what is no key': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[id]=3,1,01,one,99', ['1', '3'])
    await expectListed(catalogue, '/albums?filter[id]=01', [])
  },
  'a negated set of ids finds the others': lists('/albums?filter[idNot]=1,2,03,one', ['3', '4', '5', '6', '7', '8']),
})

const nulls = casesWith([], {
  'null is found by asking for it': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[unpriced]', ['5', '8'])
    await expectListed(catalogue, '/albums?filter[priced]', ['1', '2', '3', '4', '6', '7'])
  },
  'null is not equal to anything, and not unequal either': lists('/albums?filter[priceNot]=9.5', ['2', '4', '6', '7']),
  'null is in no set, not even in a negated one': lists('/albums?filter[pricesNot]=9.5,100', ['2', '6', '7']),
  'null is in no range': lists('/albums?filter[prices][min]=-1000', ['1', '2', '3', '4', '6', '7']),
})

const texts = casesWith([], {
  'part of a text is found in either case of ASCII letters': lists('/albums?filter[contains]=KID', ['2', '3']),
  'the beginning and the end of a text are found in either case': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[starts]=ok c', ['1'])
    await expectListed(catalogue, '/albums?filter[ends]=BREW', ['4'])
    await expectListed(catalogue, '/albums?filter[starts]=Brew', [])
    await expectListed(catalogue, '/albums?filter[ends]=Bitches', [])
  },
  'letters beyond ASCII have the case that they have': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[contains]=ÁGÆTIS', [])
    await expectListed(catalogue, '/albums?filter[contains]=ÁGætis', ['6'])
  },
  '% and _ stand for themselves': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[contains]=%', ['5'])
    await expectListed(catalogue, '/albums?filter[contains]=_', ['5'])
    await expectListed(catalogue, '/albums?filter[starts]=O_', [])
  },
  'a backslash and a quote stand for themselves': async (catalogue) => {
    for (const part of ['\\', "'", "\\'"]) await expectListed(catalogue, `/albums?filter[contains]=${part}`, ['7'])
    await expectListed(catalogue, "/albums?filter[title]=\uFF71\\'\uFF72", ['7'])
    await expectListed(catalogue, '/albums?filter[contains]=\\\\', [])
    await expectListed(catalogue, "/albums?filter[title]=' or ''='", [])
  },
})

const listed = casesWith([], {
  'a list is equal to what one of its members is': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[genre]=rock', ['1', '2', '7'])
    await expectListed(catalogue, '/albums?filter[genre]=roc', [])
  },
  'a list is in a set when one of its members is': lists('/albums?filter[genres]=jazz,electronic', [
    '2',
    '3',
    '4',
    '7',
  ]),
  'a list is unequal when none of its members is equal': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[genreNot]=rock', ['3', '4', '5', '8'])
    await expectListed(catalogue, '/albums?filter[genresNot]=rock,jazz', ['3', '5', '8'])
  },
  'an empty list is not null': lists('/albums?filter[withoutGenres]', ['6']),
})

const groups = casesWith([], {
  'one of several conditions is enough for any of them': lists('/albums?filter[either]=b', ['4']),
  'all of several conditions must hold for all of them': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[either]=k', ['2', '3'])
    await expectListed(catalogue, '/albums?filter[both]=k', [])
  },
})

const through = casesWith(['relations'], {
  'a condition leads through a relation to one': lists('/albums?filter[artist.name]=Radiohead', ['1', '2', '8']),
  'a condition leads through a relation to many, where one that meets it is enough': lists(
    '/artists?filter[albums.title]=Kid A',
    ['1'],
  ),
  'a relation to one has a row, or has none': async (catalogue) => {
    await expectListed(catalogue, '/albums?filter[hasArtist]', ['1', '2', '3', '4', '5', '8'])
    await expectListed(catalogue, '/albums?filter[hasNoArtist]', ['6', '7'])
  },
  'a relation to many has rows, or has none': async (catalogue) => {
    await expectListed(catalogue, '/artists?filter[hasAlbums]&page[size]=10', ['1', '2', '3'])
    await expectListed(catalogue, '/artists?filter[hasNoAlbums]&page[size]=10', ['4'])
  },
  'of several rows that claim to be the one of a relation, the first by key is asked': async (catalogue) => {
    await expectListed(catalogue, '/artists?filter[portrait.file]=first.png', ['1'])
    await expectListed(catalogue, '/artists?filter[portrait.file]=second.png', [])
  },
})

const throughJoins = casesWith(['joins'], {
  'a condition leads through join rows': lists('/albums?filter[playlists.title]=At home', ['1']),
  'a relation by join rows has members, or has none': lists('/albums?filter[onNoPlaylist]', ['4', '5', '6', '7', '8']),
})

/** What finds rows, and what null is in it. */
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
