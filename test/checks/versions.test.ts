import { model, type AttributeKit } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource, settingFaults } from './refusals.js'

type Attributes = AttributeKit<Readonly<Record<string, unknown>>>

describe('a version', () => {
  refusals([
    {
      name: 'must be a column, options or null',
      found: () => [...albumFaults({ version: 1 }), ...albumFaults({ version: null })],
      messages: [
        'albums.version: is 1. Remedy: name a column, give options: version: { hash: true }, or null for no version.',
      ],
    },
    {
      name: 'must have options of the expected shape',
      found: () =>
        albumFaults({ version: { column: '', as: 'text', hash: false, required: 'yes', inMeta: 1, weak: true } }),
      messages: [
        "albums.version.column: is ''. Remedy: name a column.",
        "albums.version.as: is 'text'. Remedy: give 'integer' or 'instant'.",
        'albums.version.hash: is false. Remedy: give true, or remove it.',
        "albums.version.required: is 'yes'. Remedy: give true or false.",
        'albums.version.inMeta: is 1. Remedy: give true or false.',
        'albums.version.weak: is not an option of version. Remedy: remove it, or correct its spelling.',
      ],
    },
    {
      name: 'must be a column or a hash',
      found: () => [
        ...albumFaults({ version: {} }),
        ...albumFaults({ version: { column: 'lockVersion', hash: true } }),
        ...albumFaults({ version: { column: 'xmin', as: 'instant' } }),
      ],
      messages: [
        'albums.version: has neither a column nor a hash. Remedy: name a column, or set hash: true.',
        "secret: is missing, but the version of 'albums' is a hash. Remedy: give a text of at least 16 characters that clients do not know, the same in all processes, or name a column as version.",
        'albums.version: has both a column and a hash. Remedy: remove one of them.',
        'albums.version.as: describes a column, but this version has none. Remedy: remove it.',
      ],
    },
    {
      name: 'must have its own existing column',
      found: () => [
        ...albumFaults({ model: model('albums', { columns: ['id', 'lock'] as never }), version: 'lockVersion' }),
        ...albumFaults({ model: model('albums', { columns: ['id', 'lock'] as never }), lastModified: 'changedAt' }),
        ...albumFaults({ lastModified: 1, collectionTags: 'yes' }),
        ...albumFaults({ version: 'id' }),
        ...albumFaults({ version: { column: 'deletedAt', as: 'instant' }, softDeletes: true }),
      ],
      messages: [
        "albums.version: uses the column 'lockVersion', which the model 'albums' does not have. Remedy: name one of 'id', 'lock' as the column.",
        "albums.lastModified: uses the column 'changedAt', which the model 'albums' does not have. Remedy: name one of 'id', 'lock' as the column.",
        "albums.collectionTags: is 'yes'. Remedy: give true or false.",
        'albums.lastModified: is 1. Remedy: name a column.',
        "albums.version: uses the column 'id', which is the column of the id. Remedy: name another column.",
        "albums.version: uses the column 'deletedAt', which is that of softDeletes. Remedy: name another column.",
      ],
    },
    {
      name: 'must not be written by clients',
      found: () => [
        ...albumFaults({ attributes: (a: Attributes) => ({ lock: a.integer() }), version: 'lock' }),
        ...albumFaults({ attributes: (a: Attributes) => ({ lock: a.string().readOnly() }), version: 'lock' }),
        ...albumFaults({
          attributes: (a: Attributes) => ({ lock: a.integer().readOnly() }),
          version: { column: 'lock', as: 'instant' },
        }),
        ...albumFaults({ attributes: (a: Attributes) => ({ lock: a.integer().readOnly() }), version: 'lock' }),
      ],
      messages: [
        'albums.lock: uses the column of the version, but clients can write it. Remedy: make it readOnly().',
        'albums.lock: uses the column of the version, but is not an integer. Remedy: declare it with a.integer().',
        'albums.lock: uses the column of the version, but is not a date and time. Remedy: declare it with a.dateTime().',
      ],
    },
    {
      name: 'of all types is a setting',
      found: () => [
        ...settingFaults({ versions: 'all' }),
        ...settingFaults({ versions: 'hash', secret: 'sixteen letters!' }),
      ],
      messages: ["versions: is 'all'. Remedy: choose 'declared' or 'hash'."],
    },
    {
      name: 'that is a hash needs a secret, which no message shows',
      found: () => [
        ...settingFaults({ versions: 'hash' }),
        ...albumFaults({ version: { hash: true } }, resource('tracks', { version: { hash: true } })),
        ...settingFaults({ secret: 'fifteen letters' }),
        ...settingFaults({ secret: 1234567890123456 }),
        ...settingFaults({ secret: [] }),
        ...settingFaults({ secret: ['sixteen letters!', 'short'] }),
        ...settingFaults({ secret: ['sixteen letters!', 'sixteen letters?'] }),
        ...settingFaults({ secret: 'sixteen letters!' }),
      ],
      messages: [
        "secret: is missing, but the version of 'albums' is a hash. Remedy: give a text of at least 16 characters that clients do not know, the same in all processes, or name a column as version.",
        "secret: is missing, but the version of 'albums', 'tracks' is a hash. Remedy: give a text of at least 16 characters that clients do not know, the same in all processes, or name a column as version.",
        'secret: is not a text of at least 16 characters, or a list of such texts. Remedy: give a text of at least 16 characters that clients do not know.',
        'secret: is not a text of at least 16 characters, or a list of such texts. Remedy: give a text of at least 16 characters that clients do not know.',
        'secret: is not a text of at least 16 characters, or a list of such texts. Remedy: give a text of at least 16 characters that clients do not know.',
        'secret: is not a text of at least 16 characters, or a list of such texts. Remedy: give a text of at least 16 characters that clients do not know.',
      ],
    },
  ])
})
