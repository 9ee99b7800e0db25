import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })

// oxlint-disable-next-line import/no-default-export -- one of the ways in which modules have a server
export default createServer({ resources: [albums], data: memoryData() })
