import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })

export default createServer({ resources: [albums], data: memoryData() })
