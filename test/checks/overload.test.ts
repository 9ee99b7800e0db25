import { describe } from 'vitest'
import { refusals, settingFaults } from './refusals.js'

const members = "one of 'concurrent', 'queued', 'maxWait', 'maxDelay', 'deadline', 'retryAfter'"

describe('overload', () => {
  refusals([
    {
      name: 'must be true, false or an object',
      found: () => settingFaults({ overload: 100 }),
      messages: ['overload: is 100. Remedy: give true, or an object of numbers.'],
    },
    {
      name: 'must have known members, which are whole numbers',
      found: () => settingFaults({ overload: { concurrent: 0, queued: -1, maxWait: 1.5, deadline: '1s', limit: 3 } }),
      messages: [
        'overload.concurrent: is 0. Remedy: give a whole number above 0.',
        'overload.queued: is -1. Remedy: give a whole number, 0 or more.',
        'overload.maxWait: is 1.5. Remedy: give a whole number above 0.',
        "overload.deadline: is '1s'. Remedy: give a whole number above 0.",
        `overload.limit: is not a member of overload. Remedy: use ${members}.`,
      ],
    },
  ])
})
