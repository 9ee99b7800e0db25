import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), readOnly: true })
const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id(), readOnly: true })

/** Neither a server nor a function that returns one. */
// oxlint-disable-next-line import/no-default-export -- one of the ways in which modules have a server
export default { routes: 'none' }

export const server = async () => createServer({ resources: [albums, artists], data: memoryData() })
