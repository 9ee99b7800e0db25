import { memoryData } from 'ashlar/memory'
import { storeConformance } from 'ashlar/testing'
import { describe, test } from 'vitest'

describe('the store in memory', () => {
  // It has no foreign keys.
  for (const { name, run } of storeConformance({ open: memoryData, references: false })) test(name, run)
})
