import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', { model: model('albums'), id: id().generated() })

export const server = () => createServer({ resources: [albums], data: memoryData() })
