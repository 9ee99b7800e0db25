export { memoryData } from './stores/memory/memory-data.js'
export type { MemoryData } from './stores/memory/memory-data.js'
