import { describe } from 'vitest'
import { refusals, settingFaults } from './refusals.js'

describe('bodyMemory', () => {
  refusals([
    {
      name: 'must be a number of bytes',
      found: () => [...settingFaults({ bodyMemory: '64 MiB' }), ...settingFaults({ bodyMemory: 0 })],
      messages: [
        "bodyMemory: is '64 MiB'. Remedy: give a whole number of bytes above 0.",
        'bodyMemory: is 0. Remedy: give a whole number of bytes above 0.',
      ],
    },
    {
      name: 'must have room for the largest body of each server',
      found: () => [
        ...settingFaults({ bodyMemory: 1000 }),
        ...settingFaults({ bodyMemory: 1000, limits: { bodyBytes: 1000 } }),
        ...settingFaults({
          bodyMemory: 1000,
          limits: { bodyBytes: 9 },
          servers: { admin: { prefix: '/admin', limits: { bodyBytes: 1001 } } },
        }),
      ],
      messages: [
        'bodyMemory: is 1000, less than limits.bodyBytes, 1048576. Remedy: give at least as much, or lower limits.bodyBytes.',
        "bodyMemory: is 1000, less than limits.bodyBytes of the server 'admin', 1001. Remedy: give at least as much, or lower limits.bodyBytes.",
      ],
    },
  ])
})
