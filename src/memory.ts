export { memoryData } from './stores/memory/memory-data.js'
export type { MemoryData, MemoryDataOptions } from './stores/memory/memory-data.js'
