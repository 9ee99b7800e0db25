import { expect, test } from 'vitest'
import { compareContracts } from '../../src/tools/comparison/compare-contracts.js'
import { contractOf, type Kit, linesOf, type Members, resource } from './compared.js'

const service = (text: string): Members => ({
  resources: [
    resource('albums', {
      description: `${text} albums.`,
      attributes: (a: Kit) => ({
        title: a.string().describedAs(`${text} title.`),
        year: a.integer().example(text.length),
        label: a.object().fields({ name: a.string().describedAs(text) }),
      }),
    }),
  ],
  openapi: { title: text },
})

test('descriptions, titles, examples and tags are changes of texts', () => {
  const changes = compareContracts(contractOf(service('One')), contractOf(service('Two or three')), { now: new Date() })
  expect(linesOf(changes)).toEqual([
    'safe text-changed service',
    'safe text-changed albums',
    'safe text-changed albums.label.name',
    'safe text-changed albums.title',
    'safe text-changed albums.year',
  ])
})
