import type { TestResponse } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, counting, successOrErrors } from '../case-declaration.js'
import type { Catalogue } from '../catalogue.js'
import { onlyPricedHeaders } from '../catalogue-types.js'
import { expectSame } from '../expect-same.js'

type Values = readonly (readonly unknown[])[]

/** The groups must have these values of the named fields, in this order. */
function groupsCase(path: string, fields: readonly string[], expected: Values): CaseDeclaration['run'] {
  return async (catalogue) => void (await expectGroups(catalogue, path, fields, expected))
}

async function expectGroups(
  { api }: Pick<Catalogue, 'api'>,
  path: string,
  fields: readonly string[],
  expected: Values,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const url = `/albums/-aggregates/${path}`
  const response = await api.get(encodeURI(url), { headers })
  const read = ({ resources }: TestResponse): Values =>
    resources.map(({ attributes }) => fields.map((name) => attributes?.[name]))
  expectSame(`The values of ${fields.join(', ')} of GET ${url}`, successOrErrors(response, read), expected)
  return response
}

function hasNext({ document }: TestResponse): boolean {
  return (document?.links?.['next'] ?? null) !== null
}

/** Cases of groups and measures. */
export const aggregateCases: readonly CaseDeclaration[] = casesNeeding(['aggregates'], {
  'rows with equal values are one group, and rows with null are another': groupsCase(
    'by-discs',
    ['discs', 'albums'],
    [
      [1, 3],
      [2, 2],
      [10, 1],
      [null, 2],
    ],
  ),
  'a group has one value of each of several columns': groupsCase(
    'by-format?filter[above]=0',
    ['explicit', 'discs', 'albums'],
    [
      [false, 1, 1],
      [false, 2, 1],
      [true, 10, 1],
      [null, 2, 1],
    ],
  ),
  'texts that differ in case are different groups, ordered by code points': groupsCase(
    'by-title?filter[contains]=k',
    ['title'],
    [['Kid A'], ['OK Computer'], ['kid a']],
  ),
  'measures ignore null': groupsCase(
    'by-discs?filter[titles]=OK Computer,100% Pure_Jazz',
    ['discs', 'albums', 'priced', 'price', 'average', 'lowest'],
    [[1, 2, 1, 9.5, 9.5, 9.5]],
  ),
  'count() counts the values that are not null': groupsCase(
    'by-discs',
    ['priced', 'price', 'average', 'lowest'],
    [
      [2, 9.5, 4.75, 0],
      [2, 112.25, 56.125, 12.25],
      [1, 9.5, 9.5, 9.5],
      [1, -1.5, -1.5, -1.5],
    ],
  ),
  'texts are compared by code points, and dates by day': groupsCase(
    'by-discs',
    ['last', 'first'],
    [
      ['Ágætis byrjun', '1997-05-21'],
      ['Kid A', '1970-03-30'],
      ['kid a', null],
      ['\u{1D11E} Etudes', '2016-05-08'],
    ],
  ),
  'a sum without values is null': groupsCase(
    'by-month?sort=month',
    ['month', 'price'],
    [
      ['2023-12', 9.5],
      ['2024-01', 21.75],
      ['2024-02', null],
      [null, 98.5],
    ],
  ),
  'groups are ordered by a measure, whose null is the largest value': async (catalogue) => {
    const months = [['2023-12'], ['2024-01'], [null], ['2024-02']]
    await expectGroups(catalogue, 'by-month?sort=price', ['month'], months)
    await expectGroups(catalogue, 'by-month?sort=-price', ['month'], months.toReversed())
  },
  'equal measures are ordered by the groups': groupsCase(
    'by-month?sort=albums',
    ['month', 'albums'],
    [
      ['2023-12', 1],
      ['2024-02', 1],
      [null, 2],
      ['2024-01', 4],
    ],
  ),
  'date-times are grouped by year and day in UTC': groupsCase(
    'by-day',
    ['year', 'day', 'albums'],
    [
      [2023, '2023-12-31', 1],
      [2024, '2024-01-01', 4],
      [2024, '2024-02-29', 1],
      [null, null, 2],
    ],
  ),
  'dates are grouped by quarter': groupsCase(
    'by-quarter',
    ['quarter', 'albums'],
    [
      ['1970-Q1', 1],
      ['1997-Q2', 1],
      ['1999-Q2', 1],
      ['2000-Q4', 1],
      ['2016-Q2', 1],
      [null, 3],
    ],
  ),
  'dates are grouped by the week of ISO 8601': groupsCase(
    'by-week',
    ['week'],
    [['1970-W14'], ['1997-W21'], ['1999-W23'], ['2000-W40'], ['2016-W18'], [null]],
  ),
  'only rows that meet the conditions are grouped': async (catalogue) => {
    await expectGroups(
      catalogue,
      'by-discs?filter[above]=0',
      ['discs', 'albums'],
      [
        [1, 1],
        [2, 2],
        [10, 1],
      ],
    )
    await expectGroups(catalogue, 'totals', ['albums', 'discs', 'price'], [[8, 17, 21.625]])
    await expectGroups(catalogue, 'totals', ['albums', 'discs', 'price'], [[6, 16, 21.625]], onlyPricedHeaders)
  },
  'without groups there is one, also of no rows': async (catalogue) => {
    await expectGroups(
      catalogue,
      'totals?filter[title]=none',
      ['albums', 'discs', 'price', 'latest'],
      [[0, null, null, null]],
    )
    await expectGroups(catalogue, 'by-discs?filter[title]=none', ['discs'], [])
  },
  'a page of groups says whether more follow': async (catalogue) => {
    const first = await expectGroups(catalogue, 'by-discs?page[size]=3', ['discs'], [[1], [2], [10]])
    const last = await expectGroups(catalogue, 'by-discs?page[size]=3&page[number]=2', ['discs'], [[null]])
    expectSame('Whether the pages have a next one', [hasNext(first), hasNext(last)], [true, false])
  },
  'groups are counted': async (catalogue) => {
    const { api } = catalogue
    const total = async (path: string): Promise<unknown> =>
      successOrErrors(
        await api.get(`/albums/-aggregates/${path}`, { headers: counting }),
        ({ document }) => document?.meta?.['total'],
      )
    expectSame('The number of groups by discs', await total('by-discs?withCount=_self_&page[size]=1'), 4)
    expectSame('The number of large groups', await total('large?withCount=_self_'), 2)
    expectSame('The number of totals', await total('totals?withCount=_self_&filter[title]=none'), 1)
  },
  'groups of fewer rows than the minimum are left out, and reported': async (catalogue) => {
    const large = await expectGroups(
      catalogue,
      'large',
      ['explicit', 'albums'],
      [
        [false, 3],
        [true, 3],
      ],
    )
    const all = await expectGroups(catalogue, 'large?filter[titles]=OK Computer,Kid A,Ágætis byrjun', ['albums'], [[3]])
    const omits = [large, all].map(({ document }) => document?.meta?.['hasSmallerGroups'])
    expectSame('Whether groups were left out', omits, [true, false])
  },
})
