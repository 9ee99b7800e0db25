export { memoryData } from './data/memory/memory-data.js'
export type { MemoryDataOptions } from './data/memory/memory-data.js'
