import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectIds, idsOf, listCase, pathOf, successOrErrors } from '../case-declaration.js'
import { expectSame } from '../expect-same.js'

const words = casesNeeding(['searches'], {
  'a search finds words in any case': listCase('/albums?filter[q]=KID', ['2', '3']),
  'a search finds words without their accents': listCase('/albums?filter[q]=agætis BYRJUN', ['6']),
  'a search finds whole words, and beginnings with an asterisk': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[q]=comp', [])
    await expectIds(catalogue, '/albums?filter[q]=comp*', ['1'])
  },
  'a search finds rows with all of its words, in any order': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[q]=brew bitches', ['4'])
    await expectIds(catalogue, '/albums?filter[q]=brew kid', [])
  },
  'a search for a phrase finds its words next to each other': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[q]="bitches brew"', ['4'])
    await expectIds(catalogue, '/albums?filter[q]="brew bitches"', [])
  },
  'a search excludes rows with a word after a minus': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[q]=kid -computer', ['2', '3'])
    await expectIds(catalogue, '/albums?filter[q]=kid -a', [])
  },
  'a search separates words at all other characters': listCase('/albums?filter[q]=jazz pure 100', ['5']),
  'no text of a client is an error of the store': async (catalogue) => {
    for (const text of ['kid OR brew', 'NEAR(kid)', 'title:kid', "kid' & !brew | (", '^kid', '{kid}', '\\', 'kid:*']) {
      const response = await catalogue.api.get(`/albums?filter[q]=${encodeURIComponent(text)}`)
      expectSame(`The status of a search for ${text}`, response.status < 500, true)
    }
  },
})

const relevance = casesNeeding(['searches'], {
  'a relevance sort has the best matches first, and equal ones by the next sort': listCase(
    '/albums?filter[q]=kid&sort=-relevance,id',
    ['2', '3'],
  ),
  'rows are on one page by cursor each, in the order of their relevance': async ({ api }) => {
    const ids: string[] = []
    let next: string | null = '/albums?filter[q]=a*&sort=-relevance,id&page[kind]=cursor&page[size]=1'
    while (next !== null) {
      const response = await api.get(next)
      expectSame(
        'The page',
        successOrErrors(response, () => 200),
        200,
      )
      ids.push(...idsOf(response))
      next = pathOf(response.document?.links?.['next'] ?? null)
    }
    expectSame('The ids of all pages', ids, ['2', '3', '6'])
  },
  'a search and other filters must all match': async (catalogue) => {
    await expectIds(catalogue, '/albums?filter[q]=kid&filter[explicit]=true', ['3'])
    await expectIds(catalogue, '/albums?filter[q]=kid&filter[titlesNot]=kid a&sort=relevance', ['2'])
  },
})

/** Cases of searches. */
export const searchCases: readonly CaseDeclaration[] = [...words, ...relevance]
