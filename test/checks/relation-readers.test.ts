import { belongsTo, belongsToMany, hasMany, id } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe } from 'vitest'
import { albumFaults, capabilities, faultsOf, refusals, resource } from './refusals.js'

const relations = (declared: object, ...others: readonly unknown[]) => albumFaults({ relations: declared }, ...others)

const fetchOne = () => null
const charts = (provider: object) => capabilities('charts', { provider })
const ofCharts = (declared: unknown, provider: object) =>
  faultsOf({
    resources: [
      resource('albums', { provider, operations: ['FetchOne'], relations: { charts: declared } }),
      charts({ fetchOne }),
    ],
  })

/** A store of one type. */
const only = (name: string) => memoryData({}, { types: [name] })

describe('every relation has a reader', () => {
  refusals([
    {
      name: 'such as the collections of the related type, if they hold the key',
      found: () => relations({ charts: hasMany('charts').via('albumId') }, charts({ fetchOne })),
      messages: [
        "albums.charts: cannot be read: no provider reads collections of 'charts'. Remedy: give the related type a provider with 'fetchCollection', or this one the function 'fetchRelated'.",
      ],
    },
    {
      name: 'such as existing collections',
      found: () =>
        relations(
          { charts: hasMany('charts').via('albumId').readOnly() },
          charts({ fetchOne, fetchCollection: () => [] }),
        ),
      messages: [],
    },
    {
      name: 'such as the key, if the owner has it',
      found: () => relations({ chart: belongsTo('charts') }, charts({ fetchOne })),
      messages: [],
    },
    {
      name: 'not the key, if rows are found by another column',
      found: () =>
        relations(
          { chart: belongsTo('charts') },
          resource('charts', { id: id('slug'), provider: { fetchOne }, operations: ['FetchOne'] }),
        ),
      messages: [
        "albums.chart: cannot be read: no provider reads collections of 'charts'. Remedy: give the related type a provider with 'fetchCollection', or this one the function 'fetchRelated'.",
      ],
    },
    {
      name: 'such as the one store with both sides and the join rows',
      found: () =>
        relations(
          { charts: belongsToMany('charts').through('entries', { owner: 'albumId', member: 'chartId' }) },
          charts({ fetchOne, fetchCollection: () => [] }),
        ),
      messages: [
        "albums.charts: is stored in join rows, which the provider of this type does not read. Remedy: give the provider the function 'fetchRelated', or keep both types in one store.",
      ],
    },
    {
      name: 'not two stores, each with one side',
      found: () => {
        const lists = belongsToMany('lists').through('entries', { owner: 'albumId', member: 'listId' })
        return faultsOf({
          resources: [resource('albums', { relations: { lists } }), resource('lists')],
          data: [only('albums'), only('lists')],
        })
      },
      messages: [
        "albums.lists: is stored in join rows, which the provider of this type does not read. Remedy: give the provider the function 'fetchRelated', or keep both types in one store.",
      ],
    },
    {
      name: 'such as a provider of the type, which only knows where it is stored',
      found: () => ofCharts(belongsToMany('charts'), { fetchOne, fetchRelated: () => ({ sets: [], groups: [] }) }),
      messages: [],
    },
    {
      name: 'not a provider that reads no relations',
      found: () => ofCharts(hasMany('charts'), { fetchOne }),
      messages: [
        "albums.charts: finds no column of 'charts' that refers to 'albums': no relation there belongs to 'albums'. Remedy: name the column: hasMany('charts').via('…').",
      ],
    },
    {
      name: 'such as a function',
      found: () =>
        ofCharts(
          belongsToMany('charts').extractUsing(() => []),
          { fetchOne },
        ),
      messages: [],
    },
    {
      name: 'or none, if the related type serves nothing and has no provider',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', {
              provider: { fetchOne },
              operations: ['FetchOne'],
              relations: { chart: belongsTo('charts') },
            }),
            capabilities('charts'),
          ],
        }),
      messages: [],
    },
  ])
})
