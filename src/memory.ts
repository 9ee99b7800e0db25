export { memoryData } from './data/memory/memory-data.js'
export type { MemoryData, MemoryDataOptions } from './data/memory/memory-data.js'
