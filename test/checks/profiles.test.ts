import { defaultProfiles } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { describe, expect, test } from 'vitest'
import { refusals, settingFaults } from './refusals.js'

const uri = 'https://music.example/profiles/labelled'

describe('profiles', () => {
  refusals([
    {
      name: 'must be a list',
      found: () => settingFaults({ profiles: countableProfile }),
      messages: ['profiles: is an object. Remedy: give a list of profiles.'],
    },
    {
      name: 'must be objects, without holes',
      // oxlint-disable-next-line no-sparse-arrays -- a hole is the point
      found: () => settingFaults({ profiles: [uri, , { uri }] }),
      messages: [
        `profiles[0]: is '${uri}'. Remedy: give its URI: { uri: 'https://…' }.`,
        "profiles[1]: is undefined. Remedy: give its URI: { uri: 'https://…' }.",
      ],
    },
    ...[
      '/profiles/labelled',
      'labelled',
      'https:',
      'https://a.example/a b',
      'https://a.example/"',
      'https://a.example/%',
      '',
    ].map((relative) => ({
      name: `have an absolute URI: ${relative}`,
      found: () => settingFaults({ profiles: [{ uri: relative }] }),
      messages: [
        `profiles[0]: '${relative}' is not an absolute URI. Remedy: give the URI that identifies the profile.`,
      ],
    })),
    {
      name: 'must have a URI',
      found: () => settingFaults({ profiles: [{}] }),
      messages: ['profiles[0]: undefined is not an absolute URI. Remedy: give the URI that identifies the profile.'],
    },
    {
      name: 'must have a unique URI',
      found: () => settingFaults({ profiles: [...defaultProfiles, { uri: countableProfile.uri }] }),
      messages: [
        `profiles[3]: has the URI '${countableProfile.uri}', which another profile also has. Remedy: list it once.`,
      ],
    },
    {
      name: 'must have a list of families',
      found: () => settingFaults({ profiles: [{ uri, families: 'labelLanguage' }] }),
      messages: ["profiles[0]: has 'labelLanguage' as families. Remedy: give a list: families: ['myFamily']."],
    },
    {
      name: 'must have families that JSON:API allows',
      found: () => settingFaults({ profiles: [{ uri, families: ['language', 'a[b]', null] }] }),
      messages: [
        "profiles[0]: 'language' has only lowercase letters, and JSON:API reserves such names. Remedy: add an uppercase letter, a digit or a hyphen, such as camelCase.",
        "profiles[0]: 'a[b]' is not a name for a query parameter family. Remedy: use letters and digits, such as camelCase.",
        'profiles[0]: null is not a name for a query parameter family. Remedy: use letters and digits, such as camelCase.',
      ],
    },
    {
      name: 'must not have a family of a built-in profile, unless they are that profile',
      found: () =>
        settingFaults({
          profiles: [
            { uri, families: ['rQ'] },
            { uri: countableProfile.uri, families: ['withCount', 'relatedQuery'] },
          ],
        }),
      messages: [
        "profiles[0]: 'rQ' is reserved. Remedy: choose another name.",
        "profiles[1]: 'relatedQuery' is reserved. Remedy: choose another name.",
      ],
    },
  ])

  test('may be the built-in ones, fewer, none, or more', () => {
    const profile = { uri, families: ['labelLanguage'] }
    for (const profiles of [undefined, [], defaultProfiles, [countableProfile], [...defaultProfiles, profile]]) {
      expect(settingFaults({ profiles })).toEqual([])
    }
  })
})
