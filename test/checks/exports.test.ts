import { describe } from 'vitest'
import { albumFaults, refusals } from './refusals.js'

describe('exports', () => {
  refusals([
    {
      name: 'have known options',
      found: () => [
        ...albumFaults({ export: 'csv' }),
        ...albumFaults({
          export: { formats: ['xml'], maxRows: 0, seconds: 1.5, idleSeconds: '1', csv: true, size: 1 },
        }),
        ...albumFaults({ export: { formats: [], csv: { bom: 'yes', formulas: 'drop', quotes: true } } }),
      ],
      messages: [
        "albums.export: is 'csv'. Remedy: give true, or options: export: { formats: ['csv'] }.",
        "albums.export.formats: is a list. Remedy: give a list of 'ndjson', 'csv' and 'json'.",
        'albums.export.maxRows: is 0. Remedy: give a whole number above 0.',
        'albums.export.seconds: is 1.5. Remedy: give a whole number above 0.',
        "albums.export.idleSeconds: is '1'. Remedy: give a whole number above 0.",
        "albums.export.csv: is true. Remedy: give options: { bom: true, formulas: 'keep' }.",
        'albums.export.size: is not an option of export. Remedy: remove it, or correct its spelling.',
        "albums.export.formats: is an empty list. Remedy: give a list of 'ndjson', 'csv' and 'json'.",
        "albums.export.csv.bom: is 'yes'. Remedy: give true or false.",
        "albums.export.csv.formulas: is 'drop'. Remedy: give 'escape' or 'keep'.",
        'albums.export.csv.quotes: is not an option of export. Remedy: remove it, or correct its spelling.',
      ],
    },
    {
      name: 'need a collection, and declared attributes',
      found: () => [
        ...albumFaults({ export: true, operations: ['FetchOne'] }),
        ...albumFaults({ export: true, serializer: { members: ['title'], serialize: () => ({ id: '1' }) } }),
      ],
      messages: [
        "albums.export: exports a collection, but the type does not serve one. Remedy: add 'FetchCollection' to 'operations', or remove the export.",
        'albums.export: exports declared attributes, but the type has a serializer. Remedy: remove the serializer, or the export.',
      ],
    },
    {
      name: 'may be declared, or not',
      found: () => [true, false, {}].flatMap((value) => albumFaults({ export: value })),
      messages: [],
    },
  ])
})
