export { memoryData } from './data/memory/memory-data.js'
